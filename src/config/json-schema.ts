import { toJsonSchema, type ConversionConfig, type JsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema, ObjectEntries } from 'valibot';
import { recorderKeys, recorderSections } from './recorder-keys.ts';
import { closingKeys } from './resolve.ts';
import { configurationSchema } from './schema.ts';
import { entriesOf, inner, retiredSections } from './sections.ts';

/**
 * The JSON Schema (draft 2020-12) of config.yml, for editors. It accepts every valid file; what only Postern can check, such as
 * a role that is not defined, it accepts too.
 */
export function configurationJsonSchema(): JsonSchema {
  const { properties } = convert(configurationSchema);
  const unindented = [...inner.keys()].filter(
    (key) => !Object.hasOwn(configurationSchema.entries, key) && !recorderSections.has(key),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'config.yml of Postern',
    // Unknown sections are the recorder's.
    ...sectionOf(properties, configurationSchema.entries, []),
    additionalProperties: true,
    patternProperties: { [`^(${unindented.join('|')})$`]: false },
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
    return {
      ...rest,
      ...(pattern === undefined || hasFlags ? {} : { pattern }),
      description: message,
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

/** @returns the schema of the values besides null, which editors explain better than a choice of two */
function withoutNull({ anyOf, ...rest }: JsonSchema): JsonSchema {
  const others = anyOf?.filter((each) => (each as JsonSchema).type !== 'null');
  if (others === undefined) return rest;
  const [only] = others;
  return others.length === 1 ? { ...(only as JsonSchema), ...rest } : { anyOf: others, ...rest };
}

/** A key without a value has its default. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined) return schema;
  return {
    ...schema,
    type: [type, 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  } as JsonSchema;
}
