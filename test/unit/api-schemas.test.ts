import { operations } from '../support/every-endpoint.ts';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { roleNameForm, userNameForm } from '../../src/policy/names.ts';
import { openapiDocument } from '../../src/api/openapi/openapi-document.ts';
import { anyCodePoint } from '../support/any-code-point.ts';
import { browserKeys } from '../support/push-service.ts';
import { assertCases } from '../support/assert-cases.ts';

/** The part of JSON Schema that the document uses. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly not?: { readonly enum?: readonly unknown[]; readonly required?: readonly string[] };
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Described {
  readonly parameters?: ReadonlyArray<{ name: string; in: string; required: boolean; schema: Schema }>;
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

const document = openapiDocument(operations);
const describedOf = (method: string, path: string) => document.paths[path]?.[method] as Described;

/** The test would ignore any other keyword of JSON Schema. */
const known = new Set(
  'type enum anyOf not properties required additionalProperties items prefixItems minItems maxItems minLength maxLength pattern minimum maximum description default'.split(
    ' ',
  ),
);

/** What JSON Schema cannot express and the description states, by the name of the property. */
const beyondWords: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  // Bytes.
  password: fc
    .string({ unit: anyCodePoint, minLength: 12, maxLength: 1_024 })
    .filter((text) => Buffer.byteLength(text) <= 1_024 && [...text].length >= 12),
  // Characters outside of the first 65,536 count twice.
  name: fc
    .string({ unit: fc.constantFrom('x', 'ü', '9', '-', '😀', '–', ' '), minLength: 1, maxLength: 64 })
    .filter((text) => text.length <= 64 && text.trim() === text),
  label: fc
    .string({ unit: fc.constantFrom('x', 'ü', '9', '-', '😀', ' '), minLength: 1, maxLength: 64 })
    .filter((text) => text.trim() === text),
  // Days that there are in a calendar.
  since: fc.constantFrom('30m', '2026-01-31', '2026-01-31T18:00:00Z'),
  until: fc.constantFrom('7d', '2026-01-31 18:00'),
  // URLs.
  address: fc.constantFrom('http://recorder:5000', 'https://[::1]:8971/', 'unix:/run/recorder.sock'),
  // A value from another answer.
  before: fc.nat().map((at) => Buffer.from(JSON.stringify([at, 'id'])).toString('base64url')),
  // Addresses, and a point of a curve.
  email: fc.constantFrom('olaf@example.org', "o'neil+x@a.b-c.de"),
  endpoint: fc.constantFrom('https://push.example.org/a?b', 'https://[2606:4700::1111]:8443/'),
  p256dh: fc.constantFrom(browserKeys().keys.p256dh, browserKeys().keys.p256dh),
  house: fc.constantFrom(null, 'Willow Lane', '<b>&'),
  accent: fc.constantFrom(null, '#0b5cad', '#FFFFFF'),
  schedule: fc.constantFrom(
    null,
    { from: '2026-12-20', until: '2027-01-05T18:00' },
    { hours: '22:00-06:00' },
  ),
  access: fc.constantFrom(
    null,
    { from: '2026-12-20', until: '2027-01-05T18:00' },
    { until: '2026-12-20' },
    { hours: '22:00-06:00', may: ['live'] },
    { may: ['live', 'ptz'] },
  ),
};
/** Names of users and roles are described by their patterns. */
const isTold = ({ type = 'string', description, pattern = '' }: Schema) =>
  type === 'string' &&
  description !== undefined &&
  ![userNameForm.source, roleNameForm.source].includes(pattern);

/** @returns whatever a schema allows, at its ends above all */
function allowedBy(schema: Schema): fc.Arbitrary<unknown> {
  expect(Object.keys(schema).filter((word) => !known.has(word))).toEqual([]);
  const { not } = schema;
  expect(schema.default).not.toBeNull();
  if (schema.type === 'integer' && schema.default !== undefined) expect(schema.default).toBeTypeOf('number');
  if (not === undefined) return plainlyAllowedBy(schema);
  return plainlyAllowedBy(schema).filter(
    (value) =>
      not.enum?.includes(value) !== true &&
      not.required?.every((name) => Object.hasOwn(value as object, name)) !== true,
  );
}

function plainlyAllowedBy(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(allowedBy));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const { minimum: min, maximum: max } = schema;
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'integer')
    return fc.integer({ ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) });
  if (schema.type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (schema.type === 'string') return textAllowedBy(schema);
  if (schema.type === 'array') return listAllowedBy(schema);
  // A value of config.yml: the configuration checks it.
  if (schema.type === undefined) return fc.jsonValue();
  expect(schema.type).toBe('object');
  const properties = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const said = beyondWords[name];
    return [name, said !== undefined && isTold(one) ? said : allowedBy(one)] as const;
  });
  return fc.record(Object.fromEntries(properties), {
    requiredKeys: [...(schema.required ?? [])],
  });
}

/** With these, fast-check doesn't look through all of Unicode for each class of characters in a pattern, which takes seconds. */
const visibleText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 64, maxLength: 64 }),
);

function textAllowedBy({ pattern, minLength = 0, maxLength }: Schema): fc.Arbitrary<string> {
  const most = maxLength ?? minLength + 300;
  const isLong = (text: string) => [...text].length >= minLength && [...text].length <= most;
  if (pattern !== undefined) {
    const form = new RegExp(pattern, 'u');
    return (pattern.includes(String.raw`\p{`) ? visibleText : fc.stringMatching(form)).filter(
      (text) => form.test(text) && isLong(text),
    );
  }
  // A character may be one byte or four, and one of UTF-16 or two.
  const units = ([anyCodePoint, 'grapheme-ascii'] as const).flatMap((unit) =>
    [minLength, most].map((length) => fc.string({ unit, minLength: length, maxLength: length })),
  );
  return fc.oneof(fc.string({ unit: anyCodePoint, minLength, maxLength: most }), ...units);
}

function listAllowedBy({ items = {}, prefixItems, minItems = 0, maxItems }: Schema): fc.Arbitrary<unknown> {
  if (prefixItems !== undefined) return fc.tuple(...prefixItems.map(allowedBy));
  return fc.array(allowedBy(items), {
    minLength: minItems,
    ...(maxItems === undefined ? {} : { maxLength: maxItems }),
  });
}

/** A query as it is written, with commas between the items of a list, and as the server reads it. */
function asRead(query: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
}

const refusalOf = (schema: v.GenericSchema, value: unknown) =>
  v.safeParse(schema, value).issues?.map(({ message, input }) => `${message}: ${JSON.stringify(input)}`);

/** A field that is not read would be a limit that does not count. */
const givers = new Set([
  'post /api/users',
  'put /api/users/{username}/password',
  'put /api/users/{username}/role',
  'put /postern/api/users/{username}/blocked',
  'post /postern/api/tokens',
  'post /postern/api/shares',
  'put /postern/api/roles/{name}',
  'put /postern/api/people/{username}/role',
  'put /postern/api/people/{username}/access',
  'put /postern/api/camera-groups/{name}',
  'post /postern/api/cameras/{camera}/rename',
  'post /postern/api/wall',
  'post /postern/api/displays',
  'post /postern/api/displays/token',
  'put /postern/api/displays/{id}',
  'put /postern/api/account/email',
  'post /postern/api/push',
  'post /postern/api/access-requests',
  'post /postern/api/invitations',
  'post /postern/api/invitations/{id}/open',
  'post /postern/api/invitations/{id}/passkey',
  'post /postern/api/invitations/{id}/accept',
  'put /postern/api/settings/{section}',
]);

describe('whatever a schema of the document allows, the server takes', () => {
  const bodies = operations.flatMap(({ method, path, body }) =>
    body === undefined ? [] : [{ name: `${method} ${path}`, method, path, body }],
  );
  const queries = operations.flatMap(({ method, path, query }) =>
    query === undefined ? [] : [{ name: `${method} ${path}`, method, path, query }],
  );

  test.each(bodies)('the body of $name', ({ method, path, body }) => {
    const schema = describedOf(method, path).requestBody?.content['application/json'].schema ?? {};
    assertCases(
      fc.property(allowedBy(schema), (value) => {
        expect(refusalOf(body, value)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test.each(bodies)(
    'the body of $name has other fields only where it gives no right',
    ({ method, path, body }) => {
      const schema = describedOf(method, path).requestBody?.content['application/json'].schema ?? {};
      const withStranger = allowedBy(schema).map((value) => Object.assign(value as object, { limit: 1 }));
      const gives = givers.has(`${method} ${path}`);
      assertCases(
        fc.property(withStranger, (value) => {
          expect(refusalOf(body, value)).toEqual(gives ? ['Unknown field: limit: "limit"'] : undefined);
        }),
        { numRuns: 20 },
      );
      expect(schema.additionalProperties).toBe(gives ? false : undefined);
    },
  );

  test.each(queries)('the query of $name', ({ method, path, query }) => {
    const parameters = describedOf(method, path).parameters?.filter((one) => one.in === 'query') ?? [];
    const schema: Schema = {
      type: 'object',
      properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    };
    assertCases(
      fc.property(allowedBy(schema), (value) => {
        expect(refusalOf(query, asRead(value as Record<string, unknown>))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});

test.each<[method: string, path: string, name: string, schema: Schema]>([
  ['get', '/api/events', 'limit', { type: 'integer', minimum: 1, maximum: 100 }],
  ['get', '/postern/api/sessions', 'limit', { type: 'integer', minimum: 1, maximum: 500 }],
  ['get', '/postern/api/audit', 'limit', { type: 'integer', minimum: 1, maximum: 500 }],
  ['post', '/api/users', 'password', { type: 'string', minLength: 12, maxLength: 1_024 }],
  ['put', '/api/users/{username}/password', 'password', { type: 'string', minLength: 12, maxLength: 1_024 }],
])('%s %s says the bounds of %s', (method, path, name, schema) => {
  const { parameters, requestBody } = describedOf(method, path);
  const found =
    parameters?.find((one) => one.name === name)?.schema ??
    requestBody?.content['application/json'].schema.properties?.[name];
  expect(found).toMatchObject(schema);
});
