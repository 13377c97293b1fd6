import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readOptions, withOptions } from '../../../script/container/add-on-options.ts';
import { parseConfigurationDocument } from '../../../src/config/document.ts';
import { configurationSchema } from '../../../src/config/schema.ts';
import { isPlainObject } from '../../../src/policy/json.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { files, frigateDirectory, planOf } from '../adopt/frigate-directories.ts';
import { underlined } from './editor-schema.ts';
import { resolve } from './resolve-document.ts';

/* resolve-document.ts compares Postern and the schema on every document of these tests. */

describe('every example', () => {
  const examples = globSync('docs/**/{config,beside}.yml', { cwd: projectRoot });

  test('is found', () => expect(examples.length).toBeGreaterThan(15));

  test.each(examples)('%s names the schema, which accepts it', (path) => {
    const text = readFileSync(join(projectRoot, path), 'utf8');
    const schema = relative(dirname(path), 'docs/config.schema.json');
    expect(text.split('\n')[0]).toBe(`# yaml-language-server: $schema=${schema}`);
    expect(underlined(parseConfigurationDocument(text, path).document)).toEqual([]);
  });
});

describe('every piece of config.yml in a guide', () => {
  const known = new Set(Object.keys(configurationSchema.entries));
  const pieces = ['README.md', ...globSync('docs/**/*.md', { cwd: projectRoot })].flatMap((page) => {
    const text = readFileSync(join(projectRoot, page), 'utf8');
    return [...text.matchAll(/^( *)```yaml[^\n]*\n([^]*?)^ *```/gm)].flatMap(
      ([, indent = '', lines = '']) => {
        const { document } = parseConfigurationDocument(
          lines.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
          page,
        );
        // Others are Frigate's, of a front, or of Compose.
        return isPlainObject(document) && Object.keys(document).every((key) => known.has(key))
          ? [{ page, document }]
          : [];
      },
    );
  });

  test('is found', () => expect(pieces.length).toBeGreaterThan(20));

  test.each(pieces)('is accepted by the schema: $page, $document', ({ document }) => {
    expect(underlined(document)).toEqual([]);
  });
});

test('the files that adopt and the add-on write are accepted by the schema', () => {
  const { files: written } = planOf(frigateDirectory(files['0.17']));
  const own = written.find(({ path }) => path.endsWith('postern/config.yml'))?.text ?? '';
  const users = [{ user: 'ada', role: 'admin' }];
  const options = (ingress: boolean) =>
    readOptions(JSON.stringify({ ingress, upstream: 'http://f:5000', database: '/x/f.db', users }));
  const texts = [
    own,
    ...[true, false].map((ingress) => withOptions(undefined, options(ingress), '127.0.0.1:8971')),
  ];
  for (const text of texts)
    expect(underlined(parseConfigurationDocument(text, 'config.yml').document)).toEqual([]);
});

test.each<[fault: string, document: object, ...underlined: readonly string[]]>([
  [
    'a typo in a section',
    { auth: { sesion_length: 60 } },
    '/auth must NOT have additional properties: sesion_length',
  ],
  ['an unindented key', { roles: { family: [] } }, '/roles boolean schema is false'],
  ['a path in one line', { 'auth.roles': { family: ['yard'] } }, '/auth.roles boolean schema is false'],
  ['an unindented path in one line', { 'roles.family': ['yard'] }, '/roles.family boolean schema is false'],
  [
    'an empty list of claims',
    { auth: { oidc: { user_claim: [] } } },
    '/auth/oidc/user_claim must NOT have fewer than 1 items',
  ],
  ['a text for a number', { auth: { session_length: '60' } }, '/auth/session_length must be integer,null'],
  ['a number that is too small', { limits: { body_timeout: 0 } }, '/limits/body_timeout must be >= 1'],
  ['a text for a section', { auth: 'on' }, '/auth must be object,null'],
  ['a list for a map', { auth: { roles: ['family'] } }, '/auth/roles must be object,null'],
  ['a camera for a list', { auth: { roles: { family: 'yard' } } }, '/auth/roles/family must be array'],
  ['a secret without a value', { proxy: { auth_secret: null } }, '/proxy/auth_secret must be string'],
  [
    'a word that is none',
    { ui: { landing: 'live' } },
    '/ui/landing must be equal to one of the allowed values',
  ],
])('an editor underlines %s', (_, document, ...places) => {
  expect(underlined(document)).toEqual(expect.arrayContaining([...places]));
});

test.each<[what: string, document: object]>([
  ['a section without a value', { auth: null, ui: null }],
  ['a key without a value', { auth: { session_length: null, enabled: null, roles: null } }],
  ['a recorder’s own file', { mqtt: { host: 'x' }, auth: { hash_iterations: 1 }, ui: { timezone: 'UTC' } }],
  ['sections of version 1', { server: { workers: 2 }, cache: {} }],
  ['a domain in capitals', { auth: { return_domains: ['Cameras.Example'] } }],
])('and accepts %s, as Postern does', (_, document) => {
  resolve(document);
  expect(underlined(document)).toEqual([]);
});

test('editors show the description of every key, and its default', () => {
  const schema = JSON.parse(readFileSync(join(projectRoot, 'docs/config.schema.json'), 'utf8'));
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  for (const key of Object.keys(configurationSchema.entries))
    expect(schema.properties[key].description, key).toMatch(/\w/);
  expect(schema.properties.auth.properties.session_length).toMatchObject({
    default: 86_400,
    description: expect.stringContaining('How long'),
  });
});

describe('at every place of the schema', () => {
  const schema = JSON.parse(readFileSync(join(projectRoot, 'docs/config.schema.json'), 'utf8')) as Node;
  const places = placesIn(schema, 'config.yml');

  test('a key with a name of its own has a description', () => {
    const unnamed = places.flatMap(([path, { properties = {} }]) =>
      Object.keys(properties)
        .filter((key) => properties[key] !== false && !properties[key]?.description)
        .map((key) => `${path}.${key}`),
    );
    expect(unnamed).toEqual([]);
  });

  test('a description is of the key, and not of a fault', () => {
    const faults = places.filter(
      ([, { type, description = '' }]) => type === 'object' && /\bthan\b|__proto__/.test(description),
    );
    expect(faults.map(([path]) => path)).toEqual([]);
  });

  test('a title, which editors would show at every key below, is absent', () => {
    expect(places.filter(([, { title }]) => title !== undefined)).toEqual([]);
  });

  test('values of different types are one list of types, which editors explain better than a choice', () => {
    const choices = places.filter(([, { anyOf }]) => anyOf !== undefined);
    expect(choices.map(([path]) => path)).toEqual(['config.yml.auth.second_factor.required_for[]']);
  });

  test('a pattern has words in its place', () => {
    const wordless = places.filter(([, { pattern, patternErrorMessage }]) => pattern && !patternErrorMessage);
    expect(wordless.map(([path]) => path)).toEqual([]);
  });
});

interface Node {
  readonly title?: string;
  readonly description?: string;
  readonly type?: unknown;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly properties?: Readonly<Record<string, Node | false>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly propertyNames?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
}

function placesIn(
  node: Node | boolean | undefined,
  path: string,
): Array<readonly [path: string, node: Node]> {
  if (typeof node !== 'object') return [];
  const { properties = {}, items, additionalProperties, propertyNames, anyOf = [], oneOf = [] } = node;
  return [
    [path, node],
    ...Object.entries(properties).flatMap(([key, child]) => placesIn(child, `${path}.${key}`)),
    ...placesIn(items, `${path}[]`),
    ...placesIn(additionalProperties, `${path}.*`),
    ...placesIn(propertyNames, `${path} names`),
    ...[...anyOf, ...oneOf].flatMap((choice, at) => placesIn(choice, `${path} ${at}`)),
  ];
}
