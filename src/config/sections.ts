import { is, type GenericSchema, type ObjectEntries } from 'valibot';
import { typeOf, type Problem } from './problem.ts';
import { configurationSchema } from './schema.ts';
import { isPlainObject } from '../policy/json.ts';

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
 * Finds sections that are not maps, and unknown keys at all levels of a section: a typo must not silently open the gate.
 * Unknown top-level keys belong to the recorder, except those that section-names.ts finds.
 * A key without a value has its default, unless null has a meaning of its own.
 * @param keyMeant finds the key that an unknown one of a section was probably meant to be
 * @returns a copy without them
 */
export function tidySections(
  document: Record<string, unknown>,
  keyMeant: KeyMeant,
): {
  readonly document: Record<string, unknown>;
  readonly problems: readonly Problem[];
} {
  const copy = structuredClone(document);
  const problems: Problem[] = [];
  for (const [key, schema] of Object.entries(configurationSchema.entries)) {
    tidy(copy, key, schema, key, keyMeant, problems);
  }
  return { document: copy, problems };
}

type KeyMeant = (section: string, key: string, keys: readonly string[]) => string | undefined;

function tidy(
  parent: Record<string, unknown>,
  key: string,
  schema: GenericSchema,
  path: string,
  keyMeant: KeyMeant,
  problems: Problem[],
): void {
  const entries = entriesOf(schema);
  const value = parent[key];
  if (value === null && !is(schema, null)) delete parent[key];
  if (entries === undefined || value === undefined || value === null) return;
  if (!isPlainObject(value)) {
    problems.push({ path, found: typeOf(value), allowed: 'a section' });
    delete parent[key];
    return;
  }
  for (const child of Object.keys(value)) {
    const childSchema = entries[child];
    if (Object.hasOwn(entries, child) && childSchema !== undefined) {
      tidy(value, child, childSchema, `${path}.${child}`, keyMeant, problems);
    } else {
      const keys = Object.keys(entries);
      const meant = keyMeant(path, child, keys);
      const allowed = meant === undefined ? listedKeys(path, keys) : `${meant} (did you mean that?)`;
      problems.push({ path: `${path}.${child}`, found: 'an unknown key', allowed });
      delete value[child];
    }
  }
}

/** As many as can be read in a line. */
const mostListed = 6;

function listedKeys(path: string, keys: readonly string[]): string {
  if (keys.length <= mostListed) return `one of ${keys.join(', ')}`;
  return `a key of ${path} (docs/configuration.md#${path.split('.')[0]})`;
}

/** @returns the keys of a section; undefined for a single value */
export function entriesOf(schema: GenericSchema): ObjectEntries | undefined {
  const { wrapped = schema } = schema as { wrapped?: GenericSchema };
  return (wrapped as { entries?: ObjectEntries }).entries;
}

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
