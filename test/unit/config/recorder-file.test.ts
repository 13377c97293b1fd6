import { describe, expect, test } from 'vitest';
import { configurationReader } from '../../../src/config/load.ts';
import { ConfigurationError } from '../../../src/config/problem.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const read = (text: string, environment: Record<string, string> = {}) =>
  configurationReader(environment, projectRoot, 'config.yml')(text);
const problemsOf = (text: string) => {
  try {
    read(text);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
};
const camerasOf = (text: string) => read(text).cameras;

describe('merge keys, as the parser of the recorder reads them', () => {
  test.each<[what: string, text: string, cameras: readonly string[]]>([
    ['one', 'x: &all {front: {}}\ncameras: {<<: *all, back: {}}\n', ['back', 'front']],
    ['a list', 'x: &a {front: {}}\ny: &b {back: {}}\ncameras: {<<: [*a, *b]}\n', ['front', 'back']],
    ['a map in its place', 'cameras: {<<: {front: {}}, back: {}}\n', ['back', 'front']],
    ['one of another', 'x: &a {front: {}}\ny: &b {<<: *a, back: {}}\ncameras: {<<: *b}\n', ['back', 'front']],
    ['in quotation marks: a name like any other', 'cameras: {"<<": {}, back: {}}\n', ['<<', 'back']],
    ['at the top', 'x: &a {cameras: {front: {}}}\n<<: *a\n', ['front']],
  ])('%s', (_, text, cameras) => {
    expect(camerasOf(text)?.toSorted()).toEqual([...cameras].toSorted());
  });

  test('own keys count before merged ones, of a list the first', () => {
    const text = `x: &a {streams: {Main: a_main}}
y: &b {streams: {Main: b_main, Sub: b_sub}}
cameras:
  front: {live: {<<: [*a, *b]}}
  back: {live: {streams: {Main: own}, <<: *a}}
`;
    expect([...read(text).streams.keys()]).toEqual(['a_main', 'own']);
  });

  test('roles', () => {
    const { auth } = read('x: &r {family: [front]}\nauth: {roles: {<<: *r, friend: [back]}}\n');
    expect([...auth.roles.keys()]).toEqual(['admin', 'viewer', 'friend', 'family']);
  });

  test.each<[what: string, text: string, found: string]>([
    ['twice in one map', 'x: &a {b: 1}\ny:\n  <<: *a\n  <<: *a\n', 'a second merge key in one map'],
    [
      'of what is no map',
      'x: &a [1]\ny: {<<: *a}\n',
      'an alias without its anchor, or a merge of what is no map',
    ],
    ['without its anchor', 'y: {<<: *a}\n', 'an alias without its anchor, or a merge of what is no map'],
    ['of itself', 'y: &a {<<: *a}\n', 'aliases that stand for more than 500,000 values, or for themselves'],
  ])('%s: a problem', (_, text, found) => {
    expect(problemsOf(text)).toMatchObject([{ found }]);
  });
});

describe('aliases', () => {
  test('as often as a file of many cameras needs', () => {
    const cameras = Array.from(
      { length: 500 },
      (_, n) => `  camera_${n}: {detect: *detect, record: *record}\n`,
    );
    const text = `x: &detect {width: 1280, height: 720}\ny: &record {enabled: true}\ncameras:\n${cameras.join('')}`;
    expect(camerasOf(text)).toHaveLength(500);
  });

  test.each([
    [
      'that multiply',
      Array.from(
        { length: 12 },
        (_, n) =>
          `a${n}: &a${n} [${Array.from({ length: 10 }, () => (n === 0 ? 'x' : `*a${n - 1}`)).join()}]\n`,
      ).join(''),
    ],
    [
      'that multiply by merges',
      Array.from(
        { length: 24 },
        (_, n) => `a${n}: &a${n} {p: ${n === 0 ? 'x' : `*a${n - 1}`}, q: ${n === 0 ? 'x' : `*a${n - 1}`}}\n`,
      ).join(''),
    ],
    [
      'of a long text',
      `a: &a ${'x'.repeat(100_000)}\nb: [${Array.from({ length: 1_000 }, () => '*a').join()}]\n`,
    ],
    ['of themselves', 'a: &a [*a]\n'],
    ['in a depth that no file has', `a: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n`],
  ])('%s: a problem', (_, text) => {
    expect(problemsOf(text)).not.toEqual([]);
  });
});

describe('the section notifications', () => {
  test.each([
    'notifications: {enabled: true, email: olaf@example.org, cooldown: 10}',
    'notifications: {enabled: false}',
    'notifications:',
    'notifications: {}',
  ])('is that of the recorder: %s', (text) => {
    expect(read(`${text}\n`)).toMatchObject({ notifications: { targets: [] }, warnings: [] });
  });

  test('is ours, with keys of the recorder among them', () => {
    const text = 'notifications: {enabled: true, events: [new_device], email: a@b.example}\n';
    expect(read(text).notifications.events).toEqual(new Set(['new_device']));
  });

  test('with a typo is neither', () => {
    expect(problemsOf('notifications: {target: []}\n')).toMatchObject([{ path: 'notifications.target' }]);
  });
});

describe('environment_vars', () => {
  const text = (secret: string) =>
    `environment_vars: {FRIGATE_PROXY: from-file, SERVICE_X: no, FRIGATE_NUMBER: 5}\nproxy: {auth_secret: "${secret}"}\n`;

  test('of the file replace {FRIGATE_...}, before the environment', () => {
    expect(read(text('{FRIGATE_PROXY}')).proxy.authSecret).toBe('from-file');
    expect(read(text('{FRIGATE_PROXY}'), { FRIGATE_PROXY: 'outside' }).proxy.authSecret).toBe('from-file');
    expect(read(text('{FRIGATE_OTHER}'), { FRIGATE_OTHER: 'outside' }).proxy.authSecret).toBe('outside');
  });

  test('of other names or types replace nothing', () => {
    for (const name of ['SERVICE_X', 'FRIGATE_NUMBER', 'FRIGATE_NONE'])
      expect(problemsOf(text(`{${name}}`))).toMatchObject([
        { path: 'proxy.auth_secret', found: `{${name}}` },
      ]);
  });
});
