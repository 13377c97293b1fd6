import type { GenericSchema } from 'valibot';
import { nearestOf } from './nearest.ts';
import type { Problem } from './problem.ts';
import { recorderSections } from './recorder-keys.ts';
import { configurationSchema } from './schema.ts';
import { entriesOf } from './sections.ts';

const ours = Object.keys(configurationSchema.entries);
// If a key exists twice, the outermost wins, then the first: `auth_secret` belongs to the section proxy rather than to
// recorder.
const inner = new Map(
  Object.entries(configurationSchema.entries)
    .flatMap(pathsBelow)
    .toReversed()
    .toSorted(([, one], [, other]) => other.split('.').length - one.split('.').length),
);

/**
 * Finds top-level keys that look like ours with a typo or a wrong indentation. If such a section counted as the recorder's,
 * it would be ignored, and its restrictions with it.
 */
export function misspeltSections(document: Record<string, unknown>): readonly Problem[] {
  return Object.keys(document)
    .filter((key) => !ours.includes(key) && !recorderSections.has(key))
    .flatMap((key) => {
      const meant = nearestOf(key, ours) ?? inner.get(key);
      return meant === undefined
        ? []
        : [{ path: key, found: 'an unknown key', allowed: `${meant} (did you mean that?)` }];
    });
}

/** @returns what was probably meant by an unknown key of a section: a key of it, or one of another section */
export function keyMeant(section: string, key: string, keys: readonly string[]): string | undefined {
  const nearest = nearestOf(key, keys);
  if (nearest !== undefined) return `${section}.${nearest}`;
  return ours.includes(key) ? key : inner.get(key);
}

/** @returns every key below a section with its place, the outer ones first */
function pathsBelow([path, schema]: readonly [path: string, schema: GenericSchema]): Array<
  readonly [key: string, path: string]
> {
  const children = Object.entries(entriesOf(schema) ?? {}).map(([key, child]) => ({
    key,
    place: `${path}.${key}`,
    child,
  }));
  return [
    ...children.map(({ key, place }) => [key, place] as const),
    ...children.flatMap(({ place, child }) => pathsBelow([place, child])),
  ];
}
