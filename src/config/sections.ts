import { is, type GenericSchema, type ObjectEntries } from 'valibot';
import { typeOf, type Problem } from './problem.ts';
import { configurationSchema } from './schema.ts';
import { isPlainObject } from '../policy/json.ts';
import { nearestOf } from './wrong-value.ts';
import { recorderSections } from './recorder-keys.ts';

/** Sections of version 1, with what replaces them. */
export const retiredSections: Readonly<Record<string, string>> = {
  server: 'one process serves all; several gates share a store (docs/growth.md)',
  cache: 'Postern remembers 20,000 sessions, and verifies others again',
  assertion: 'Postern no longer signs requests; the identity headers stay',
};

/** Values that say no, as YAML 1.1 and 1.2 read them. */
const off: ReadonlySet<unknown> = new Set([undefined, null, false, 'false', 'no', 'off']);

/**
 * Removes sections that version 2 no longer has, with a warning for each. Assertions that were on are a problem: a service behind
 * Postern may rely on them.
 */
export function withoutRetiredSections(document: Record<string, unknown>): {
  readonly document: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
} {
  const written = Object.keys(retiredSections).filter((name) => Object.hasOwn(document, name));
  const { assertion } = document;
  const isAsserting = isPlainObject(assertion) && !off.has(assertion['enabled']);
  return {
    document: Object.fromEntries(Object.entries(document).filter(([name]) => !written.includes(name))),
    warnings: written.map(
      (name) =>
        `${name} has no effect since 2.0.0: delete the line "${name}:" and everything below it in config.yml (${retiredSections[name]})`,
    ),
    problems: isAsserting
      ? [
          {
            path: 'assertion.enabled',
            found: 'assertions that are on',
            allowed:
              'no section assertion: version 2 signs no requests, so a service that checks X-Postern-Assertion would refuse them (docs/upgrade.md)',
          },
        ]
      : [],
  };
}

/**
 * Finds sections that are not maps, and unknown keys at all levels of a section: a typo must not silently open the gate.
 * Unknown top-level keys belong to the recorder, except those that `misspeltSections` finds.
 * A key without a value has its default, unless null has a meaning of its own.
 * @returns a copy without them
 */
export function tidySections(document: Record<string, unknown>): {
  readonly document: Record<string, unknown>;
  readonly problems: readonly Problem[];
} {
  const copy = structuredClone(document);
  const problems = Object.entries(configurationSchema.entries).flatMap(([key, schema]) =>
    tidy(copy, key, schema, key),
  );
  return { document: copy, problems };
}

/** Removes what is wrong at a key of `parent`. @returns the problems */
function tidy(
  parent: Record<string, unknown>,
  key: string,
  schema: GenericSchema,
  path: string,
): readonly Problem[] {
  const entries = entriesOf(schema);
  const value = parent[key];
  if (value === null && !is(schema, null)) delete parent[key];
  if (entries === undefined || value === undefined || value === null) return [];
  if (!isPlainObject(value)) {
    delete parent[key];
    return [{ path, found: typeOf(value), allowed: 'a section' }];
  }
  const keys = Object.keys(entries);
  return Object.keys(value).flatMap((child) => {
    const childSchema = entries[child];
    if (Object.hasOwn(entries, child) && childSchema !== undefined)
      return tidy(value, child, childSchema, `${path}.${child}`);
    delete value[child];
    const meant = keyMeant(path, child, keys);
    const allowed = meant === undefined ? listedKeys(path, keys) : `${meant} (did you mean that?)`;
    return [{ path: `${path}.${child}`, found: 'an unknown key', allowed }];
  });
}

/** @returns what was probably meant by an unknown key of a section: a key of it, or one of another section */
function keyMeant(section: string, key: string, keys: readonly string[]): string | undefined {
  const nearest = nearestOf(key, keys);
  if (nearest !== undefined) return `${section}.${nearest}`;
  return ours.includes(key) ? key : inner.get(key);
}

/** As many as can be read in a line. */
const mostListed = 6;

function listedKeys(path: string, keys: readonly string[]): string {
  if (keys.length <= mostListed) return `one of ${keys.join(', ')}`;
  return `a key of ${path} (docs/configuration.md#${path.split('.')[0]})`;
}

/**
 * Finds top-level keys that look like ours with a typo, a wrong indentation, or a path in one line. If such a section counted as the
 * recorder's, it would be ignored, and its restrictions with it.
 */
export function misspeltSections(document: Record<string, unknown>): readonly Problem[] {
  return Object.keys(document)
    .filter((key) => !ours.includes(key) && !recorderSections.has(key))
    .flatMap((key) => {
      const allowed = allowedFor(key);
      return allowed === undefined ? [] : [{ path: key, found: 'an unknown key', allowed }];
    });
}

function allowedFor(key: string): string | undefined {
  const [name = '', child] = key.split('.');
  const isRecorders = child !== undefined && recorderSections.has(name) && !ours.includes(name);
  const meant = isRecorders ? undefined : (nearestOf(name, ours) ?? inner.get(name));
  if (meant === undefined) return undefined;
  return child === undefined ? `${meant} (did you mean that?)` : `${meant}: with ${child}: indented below it`;
}

const ours = Object.keys(configurationSchema.entries);
/**
 * Place of each key inside our sections. If a key exists twice, the outermost wins, then the first: `auth_secret` belongs to the
 * section proxy rather than to recorder.
 */
export const inner = new Map(
  Object.entries(configurationSchema.entries)
    .flatMap(pathsBelow)
    .toReversed()
    .toSorted(([, one], [, other]) => other.split('.').length - one.split('.').length),
);

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

/** @returns the keys of a section; undefined for a single value */
export function entriesOf(schema: GenericSchema): ObjectEntries | undefined {
  const { wrapped = schema } = schema as { wrapped?: GenericSchema };
  return (wrapped as { entries?: ObjectEntries }).entries;
}

/** Maps whose keys are the operator's: only the wrong entry is left out. */
const openMaps = new Set([
  'auth.roles',
  'auth.camera_groups',
  'auth.role_access',
  'auth.oidc.role_map',
  'proxy.role_map',
  'proxy.header_map.role_map',
  'proxy.user_map',
]);

/**
 * Removes the value of a problem from the document.
 * @returns its path, joined by dots
 */
export function leaveOut(document: Record<string, unknown>, path: readonly string[]): string {
  let parent = document;
  let place = '';
  let schema: GenericSchema | undefined = configurationSchema;
  for (const key of path) {
    place = place === '' ? key : `${place}.${key}`;
    const child: unknown = parent[key];
    const entries: ObjectEntries | undefined = schema && entriesOf(schema);
    schema = entries?.[key];
    const goesDeeper = (schema !== undefined && entriesOf(schema) !== undefined) || openMaps.has(place);
    if (!goesDeeper || place === path.join('.') || !isPlainObject(child)) {
      delete parent[key];
      return place;
    }
    parent = child;
  }
  return place;
}
