import { toJsonSchema, type ConversionConfig, type JsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema, ObjectEntries } from 'valibot';
import { recorderKeys, recorderSections } from './recorder-keys.ts';
import { closingKeys } from './resolve.ts';
import { configurationSchema } from './schema.ts';
import { entriesOf, inner, retiredSections } from './sections.ts';

/** The text of config.schema.json. */
export function schemaText(): string {
  return `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`;
}

/**
 * The JSON Schema (draft 2020-12) of config.yml, for editors. It accepts every valid file; what only Postern can check, such as
 * a role that is not defined, it accepts too.
 */
export function configurationJsonSchema(): JsonSchema {
  const { properties } = convert(configurationSchema);
  const ours = Object.keys(configurationSchema.entries);
  const unindented = [...inner.keys()].filter((key) => !ours.includes(key) && !recorderSections.has(key));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    // A title would be shown at every key.
    description: 'config.yml of Postern.',
    // Unknown sections are the recorder's.
    ...sectionOf(properties, configurationSchema.entries, []),
    additionalProperties: true,
    patternProperties: {
      [`^(${unindented.join('|')})(\\.|$)`]: false,
      // A path in one line.
      [`^(${ours.join('|')})\\.`]: false,
    },
  };
}

const options: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideSchema: ({ valibotSchema }) =>
    'record' in valibotSchema ? convert(valibotSchema.record as GenericSchema) : undefined,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    const { kind, message, requirement } = valibotAction as {
      readonly kind: string;
      readonly message?: unknown;
      readonly requirement?: unknown;
    };
    if (kind !== 'validation' || typeof message !== 'string') return undefined;
    // JSON Schema has no flags.
    const { pattern, ...rest } = jsonSchema;
    const hasFlags = requirement instanceof RegExp && requirement.flags !== '';
    // Editors show the message in place of the pattern.
    const withPattern = { pattern, patternErrorMessage: `Allowed: ${message}` };
    return {
      ...rest,
      ...(pattern === undefined || hasFlags ? {} : withPattern),
      // The checks of a map compare its keys, and say nothing about one.
      ...(rest.type === 'object' ? {} : { description: message }),
    };
  },
};

function convert(schema: GenericSchema): JsonSchema {
  const { $schema: _, ...converted } = toJsonSchema(schema, options);
  return converted;
}

/** No other keys are allowed, because a typo must not silently open the gate. */
function sectionOf(
  converted: JsonSchema['properties'],
  entries: ObjectEntries,
  path: readonly string[],
): JsonSchema {
  const own = Object.entries(entries).map(([key, entry]) => {
    const child = [...path, key];
    const value = withoutNull(converted?.[key] as JsonSchema);
    const inside = entriesOf(entry);
    if (inside === undefined) return [key, isClosing(child) ? value : orNull(value)] as const;
    const { description, properties } = value;
    return [key, { description, ...sectionOf(properties, inside, child) }] as const;
  });
  const ignored = [
    ...recorderKeys
      .filter(([theirs]) => theirs.length === path.length + 1 && path.every((key, i) => key === theirs[i]))
      .map(([theirs]) => [theirs.at(-1) ?? '', 'A key of Frigate, which Postern ignores.'] as const),
    ...(path.length === 0 ? Object.entries(retiredSections) : []).map(
      ([key, why]) => [key, `No effect since 2.0.0: ${why}.`] as const,
    ),
  ].map(([key, description]) => [key, { description, deprecated: true }] as const);
  return {
    type: ['object', 'null'],
    properties: Object.fromEntries([...own, ...ignored]) as JsonSchema['properties'],
    additionalProperties: false,
  };
}

function isClosing(path: readonly string[]): boolean {
  return closingKeys.some((closing) => closing.join('.') === path.join('.'));
}

/** @returns the schema of the values besides null, without a choice where it can be: editors explain that better */
function withoutNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  if (anyOf === undefined) return rest;
  const others = (anyOf as readonly JsonSchema[]).filter(({ type }) => type !== 'null');
  const [only, ...more] = others;
  if (only !== undefined && more.length === 0) return withoutNull({ ...only, ...rest });
  const values = others.map(valuesOf);
  if (values.every((each) => each !== undefined)) return { enum: values.flat(), ...rest };
  const types = others.map(({ type }) => type);
  if (new Set(types).size < types.length) return { anyOf: [...others], ...rest };
  // The keywords of each type say nothing about the others.
  return { ...Object.assign({}, ...others), type: types, ...rest } as JsonSchema;
}

/** @returns the values that a schema lists; undefined where it doesn't */
function valuesOf({ type, enum: values, const: value }: JsonSchema): JsonSchema['enum'] {
  if (value !== undefined) return [value];
  return type === 'boolean' ? [true, false] : values;
}

/** A key without a value has its default. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema;
  return {
    ...schema,
    ...(anyOf !== undefined && { anyOf: [...anyOf, { type: 'null' }] }),
    ...(type !== undefined && { type: [type, 'null'].flat() }),
    ...(values !== undefined && { enum: [...values, null] }),
  } as JsonSchema;
}
