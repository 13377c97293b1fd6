import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readOptions } from '../../script/container/add-on-options.ts';
import { copiesOf, stagesOf } from '../support/dockerfile.ts';
import { projectRoot } from '../support/start-gateway.ts';

const folder = join(projectRoot, 'home-assistant');
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const config = parse(read('postern/config.yaml')) as {
  readonly version: string;
  readonly slug: string;
  readonly arch: readonly string[];
  readonly ports: Readonly<Record<string, number>>;
  readonly ports_description: object;
  readonly map: readonly { readonly type: string; readonly read_only: boolean }[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
};
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};

/* The rules of the Supervisor's own validation (supervisor/addons/validate.py and options.py, 2025). */

test('the folder is a repository of add-ons', () => {
  expect(Object.keys(parse(read('repository.yaml')) as object)).toEqual(['name', 'maintainer']);
  for (const file of ['config.yaml', 'build.yaml', 'Dockerfile', 'DOCS.md', 'README.md'])
    expect(existsSync(join(folder, 'postern', file)), file).toBe(true);
});

describe('config.yaml', () => {
  test('has what is required, in its form', () => {
    expect(config).toMatchObject({ version, name: 'Postern', description: expect.any(String) });
    expect(config.slug).toMatch(/^[-_.A-Za-z0-9]+$/);
    expect(config.arch).toEqual(['aarch64', 'amd64']);
    expect(Object.keys(config.ports_description)).toEqual(Object.keys(config.ports));
    for (const { type } of config.map) expect(['addon_config', 'all_addon_configs']).toContain(type);
  });

  test('asks for no right of the machine, and writes only to its own folder', () => {
    for (const right of ['host_network', 'privileged', 'full_access', 'docker_api', 'hassio_api', 'auth_api'])
      expect(config[right], right).toBeUndefined();
    expect(config.map.filter((each) => !each.read_only)).toEqual([
      { type: 'addon_config', read_only: false },
    ]);
  });

  test('has a schema for every option, and for the JWT secret', () => {
    const element =
      /^(?:bool|email|url|port|str(?:\(\d*,\d*\))?|password(?:\(\d*,\d*\))?|int|list\(.+\)|match\(.*\))\??$/;
    const types = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(types) : [value];
    for (const type of types(config.schema)) expect(type).toMatch(element);
    const required = Object.entries(config.schema).filter(([, type]) => !String(type).endsWith('?'));
    expect(Object.keys(config.options)).toEqual(required.map(([name]) => name));
    expect(config.schema['jwt_secret']).toBe('password?');
  });

  test('has options that the program knows, and publishes accounts by default', () => {
    const known = Object.keys(readOptions('{}'));
    const names = Object.keys(config.schema).filter((name) => name !== 'jwt_secret');
    expect(names.toSorted()).toEqual(known.toSorted());
    expect(config.options['ingress']).toBe(false);
    expect(config.ports).toEqual({ '8971/tcp': 8971 });
  });
});

test.each(['en', 'de'])('the translation %s names every option and port', (language) => {
  const { configuration, network } = parse(read(`postern/translations/${language}.yaml`)) as Record<
    string,
    object
  >;
  expect(Object.keys(configuration ?? {}).toSorted()).toEqual(Object.keys(config.schema).toSorted());
  expect(Object.keys(network ?? {})).toEqual(Object.keys(config.ports));
});

test('the image is made of Node and the program alone', () => {
  const { build_from: bases } = parse(read('postern/build.yaml')) as { build_from: Record<string, string> };
  expect(Object.keys(bases)).toEqual(config.arch);
  const [base] = /(?<=ARG NODE_IMAGE=).*/.exec(readFileSync(join(projectRoot, 'Dockerfile'), 'utf8')) ?? [];
  const text = read('postern/Dockerfile');
  expect([...new Set(Object.values(bases)), /(?<=ARG BUILD_FROM=).*/.exec(text)?.[0]]).toEqual([base, base]);
  const instructions = [...stagesOf(text).values()].flat();
  expect(copiesOf(instructions)).toEqual([{ sources: ['program'], target: '.' }]);
  const start = instructions.find(({ name }) => name === 'CMD');
  expect(JSON.parse(start?.text ?? '')).toEqual(['node', '--max-semi-space-size=16', 'dist/add-on.js']);
  expect(readdirSync(join(projectRoot, 'dist'))).toEqual(expect.arrayContaining(['add-on.js', 'health.js']));
});
