import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findJwtSecret,
  foreignJwtSecrets,
  jwtSecretWarning,
} from '../../../../src/accounts/sessions/jwt-secret.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';

const long = (letter: string) => letter.repeat(64);
type Place = 'environment' | 'credentials' | 'options' | 'own';

/** A machine with a text in some of the places. */
function machine(texts: Partial<Record<Place, string>>) {
  const root = temporaryDirectory();
  const at = {
    environment: 'the environment variable SERVICE_JWT_SECRET',
    credentials: join(root, 'secrets', 'SERVICE_JWT_SECRET'),
    options: join(root, 'options.json'),
    own: join(root, '.jwt_secret'),
  };
  mkdirSync(join(root, 'secrets'));
  for (const place of ['credentials', 'options', 'own'] as const) {
    if (texts[place] !== undefined) writeFileSync(at[place], texts[place]);
  }
  const environment = {
    SERVICE_JWT_SECRET: texts.environment,
    CREDENTIALS_DIRECTORY: join(root, 'secrets'),
    SERVICE_OPTIONS_FILE: at.options,
  };
  return {
    root,
    at,
    find: () => findJwtSecret(environment, root),
    foreign: () => foreignJwtSecrets(environment, root),
  };
}

const all = {
  environment: long('e'),
  credentials: `${long('c')}\n`,
  options: JSON.stringify({ jwt_secret: long('o') }),
  own: `${long('f')}\n`,
};

test.each<[texts: Partial<Record<Place, string>>, place: Place, letter: string]>([
  [all, 'environment', 'e'],
  [{ ...all, environment: undefined as never }, 'credentials', 'c'],
  [{ options: all.options, own: all.own }, 'options', 'o'],
  [{ own: all.own }, 'own', 'f'],
  [{ options: '{}', own: all.own }, 'own', 'f'],
  [{ options: '{"jwt_secret":null,"other":1}', own: all.own }, 'own', 'f'],
])('%j: the secret is the one of %s', (texts, place, letter) => {
  const { at, find } = machine(texts);
  const { secret, source, isNew } = find();
  expect([secret, isNew, jwtSecretWarning({ secret })]).toEqual([long(letter), false, undefined]);
  expect(source).toContain(at[place]);
});

test.each<[texts: Partial<Record<Place, string>>, places: readonly Place[]]>([
  [all, ['environment', 'credentials', 'options']],
  [{ credentials: all.credentials, own: all.own }, ['credentials']],
  [{ options: '{}', own: all.own }, ['options']],
  [{ own: all.own }, []],
])('%j: outside the directory, %j may hold it', (texts, places) => {
  const { at, foreign } = machine(texts);
  const named = foreign().map((place) => place.replace('the variable', 'the environment variable'));
  expect(named).toEqual(places.map((place) => at[place]));
});

test.each<[length: number, level: string | undefined]>([
  [64, undefined],
  [63, 'warn'],
  [16, 'warn'],
  [15, 'error'],
  [1, 'error'],
])('%i characters are worth a line of level %s', (length, level) => {
  const { secret } = machine({ environment: ` ${'x'.repeat(length)}\n` }).find();
  expect(jwtSecretWarning({ secret })?.level).toBe(level);
});

describe('a place with an invalid secret stops the start, even if later places have one', () => {
  test.each<[what: string, texts: Partial<Record<Place, string>>, place: Place]>([
    ['an empty environment variable', { ...all, environment: '' }, 'environment'],
    ['only white space', { ...all, environment: ' \n' }, 'environment'],
    ['an empty credential', { credentials: '\n', own: all.own }, 'credentials'],
    ['an empty option', { options: '{"jwt_secret":""}', own: all.own }, 'options'],
    ['an option that is a number', { options: '{"jwt_secret":7}', own: all.own }, 'options'],
    ['options that are no JSON', { options: '{', own: all.own }, 'options'],
    ['options that are text', { options: '"x"', own: all.own }, 'options'],
    ['an empty file of ours', { own: '' }, 'own'],
  ])('%s', (_, texts, place) => {
    const { at, find } = machine(texts);
    expect(find).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
    expect(find).toThrow(at[place]);
  });

  test.each(['credentials', 'options', 'own'] as const)('an unreadable file: %s', (place) => {
    const { at, find } = machine({});
    mkdirSync(at[place]);
    expect(find).toThrow(`${at[place]}: found a file that cannot be read (EISDIR)`);
  });
});

test('without a secret, creates one that only the owner can read, and finds it again', () => {
  const { root, at, find } = machine({});
  const made = find();
  expect(made).toMatchObject({ source: at.own, isNew: true });
  expect(made.secret).toMatch(/^[\x21-\x7e]{64,}$/);
  expect(statSync(at.own).mode & 0o777).toBe(0o600);
  expect(readFileSync(at.own, 'utf8').trim()).toBe(made.secret);
  expect(find()).toEqual({ ...made, isNew: false });
  expect(readdirSync(root).filter((name) => name.startsWith('.jwt'))).toEqual(['.jwt_secret']);
  expect(machine({}).find().secret).not.toBe(made.secret);
});

test('fails if a new secret cannot be saved', () => {
  expect(() =>
    findJwtSecret({ CREDENTIALS_DIRECTORY: '/nowhere', SERVICE_OPTIONS_FILE: '/nowhere' }, '/nowhere'),
  ).toThrow('ENOENT');
});

test('keeps the mode of an existing file', () => {
  const { at, find } = machine({ own: all.own });
  chmodSync(at.own, 0o440);
  expect(find().isNew).toBe(false);
  expect(statSync(at.own).mode & 0o777).toBe(0o440);
});
