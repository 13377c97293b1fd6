import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readOptions } from '../../script/container/add-on-options.ts';
import { copiesOf, stagesOf, type Instruction } from '../support/dockerfile.ts';
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

/* The rules of the Supervisor's own validation (supervisor/apps/validate.py, options.py and build.py, August 2026). */

test('the folder is a repository of add-ons', () => {
  expect(Object.keys(parse(read('repository.yaml')) as object)).toEqual(['name', 'maintainer']);
  for (const file of ['config.yaml', 'Dockerfile', 'DOCS.md', 'README.md'])
    expect(existsSync(join(folder, 'postern', file)), file).toBe(true);
});

/** Keys that the Supervisor reads; it drops any other without a word. */
const knownKeys =
  `name version slug description arch machine url startup boot init stage ports ports_description watchdog webui ingress
  ingress_port ingress_entry ingress_stream panel_icon panel_title panel_admin homeassistant host_network host_pid host_ipc host_uts
  host_dbus devices udev tmpfs map environment privileged apparmor full_access audio video gpio usb uart devicetree kernel_modules
  realtime hassio_api hassio_role homeassistant_api stdin docker_api auth_api services discovery backup_exclude backup_pre backup_post
  backup options schema image ulimits timeout journald breaking_versions`.split(/\s+/);

describe('config.yaml', () => {
  test('has only keys that the Supervisor reads, in their form', () => {
    expect(Object.keys(config).filter((key) => !knownKeys.includes(key))).toEqual([]);
    expect(config).toMatchObject({ startup: 'application', boot: 'auto', ingress_port: expect.any(Number) });
    for (const port of Object.keys(config.ports)) expect(port).toMatch(/^\d+\/(?:tcp|udp)$/);
    for (const key of ['ingress', 'ingress_stream', 'panel_admin'])
      expect(config[key], key).toBeTypeOf('boolean');
    for (const entry of config.map)
      expect(entry).toEqual({ type: expect.any(String), read_only: expect.any(Boolean) });
  });

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

test.each(['en', 'de'])('the translation %s has the form that the Supervisor reads', (language) => {
  const { configuration, network, ...others } = parse(
    read(`postern/translations/${language}.yaml`),
  ) as Record<string, object>;
  expect(others).toEqual({});
  for (const option of Object.values(configuration ?? {}))
    expect(option).toEqual({ name: expect.any(String), description: expect.any(String) });
  for (const text of Object.values(network ?? {})) expect(text).toBeTypeOf('string');
});

describe('the image', () => {
  const dockerfile = readFileSync(join(projectRoot, 'Dockerfile'), 'utf8');
  const command = (instructions: readonly Instruction[] | undefined) =>
    JSON.parse(instructions?.findLast(({ name }) => name === 'CMD')?.text ?? '') as unknown;
  const start = ['node', '--max-old-space-size=2000', '--max-semi-space-size=4', 'dist/add-on.js'];

  test('that Home Assistant builds is made of Node and the program only, without a base of the Supervisor', () => {
    const [base] = /(?<=ARG NODE_IMAGE=).*/.exec(dockerfile) ?? [];
    const text = read('postern/Dockerfile');
    const instructions = [...stagesOf(text).values()].flat();
    expect(
      instructions.filter(({ name }) => ['FROM', 'ARG'].includes(name)).map(({ words }) => words),
    ).toEqual([[base]]);
    expect(copiesOf(instructions)).toEqual([{ sources: ['program'], target: '.' }]);
    expect(command(instructions)).toEqual(start);
    expect(readdirSync(join(projectRoot, 'dist'))).toEqual(
      expect.arrayContaining(['add-on.js', 'health.js']),
    );
  });

  test('of a release is the one of the gateway, started as root with the same program', () => {
    const stages = stagesOf(dockerfile);
    const stage = stages.get('add-on') ?? [];
    expect(stage[0]?.words).toEqual(['gateway', 'AS', 'add-on']);
    expect(stage.find(({ name }) => name === 'USER')?.text).toBe('0:0');
    expect(command(stage)).toEqual(start);
    const health = (instructions: readonly Instruction[]) =>
      instructions.find(({ name }) => name === 'HEALTHCHECK')?.text.replaceAll(/\s+/g, ' ');
    expect(health(stage)).toBe(health([...stagesOf(read('postern/Dockerfile')).values()].flat()));
    // Without --target, docker builds the last one.
    expect([...stages.keys()].at(-1)).toBe('front');
  });
});
