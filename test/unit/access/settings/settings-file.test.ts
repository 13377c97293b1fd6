import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsFileOf, settingsSections } from '../../../../src/access/settings/settings-file.ts';
import { configurationReader } from '../../../../src/config/load.ts';
import { AppError } from '../../../../src/errors.ts';
import { projectRoot } from '../../../support/start-gateway.ts';
import { unconditional, type Change } from '../../../../src/store/permit.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';

/** Runs a change without a store. */
const change = ((_permit, work) =>
  work(undefined as never, { requireProof: () => undefined } as never)) as Change;

const readConfiguration = configurationReader(
  { SERVICE_MAIL_PASSWORD: 'pa55-of-the-mail', SERVICE_MAIL_USER: 'olaf' },
  projectRoot,
  'config.yml',
);

function settings(text: string | undefined, url?: string) {
  const directory = temporaryDirectory();
  const file = join(directory, 'config.yml');
  if (text !== undefined) writeFileSync(file, text);
  const read = () => readFileSync(file, 'utf8');
  const inEffect = () => (text === undefined ? undefined : read());
  const made = settingsFileOf(
    { store: { url } },
    { change, directory, check: () => () => undefined, text: inEffect, readConfiguration },
  );
  return { ...made, text: read, file };
}

test.each([
  [undefined],
  [''],
  ['# nothing\n'],
  ['cameras: [driveway]\n'],
  ['notifications: {enabled: true}\n'],
])('%j has none of the sections', (text) => {
  const { read } = settings(text);
  expect(settingsSections.map(read)).toEqual([null, null, null, null, null]);
});

test('a section is found by an alias and a merge key', () => {
  const { read } = settings('x: &x { viewing: required }\naudit: { <<: *x }\n');
  expect(read('audit.viewing')).toBe('required');
});

test.each([
  ['timezone', 'UTC', 'a: 1 # one\n', 'a: 1 # one\ntimezone: UTC\n'],
  ['timezone', null, 'timezone: UTC\na: 1\n', 'a: 1\n'],
  [
    'audit.viewing',
    true,
    'audit:\n  # a month\n  keep_days: 30\n',
    'audit:\n  # a month\n  keep_days: 30\n  viewing: true\n',
  ],
  ['audit.viewing', null, 'audit: {viewing: true, keep_days: 3}\n', 'audit: {keep_days: 3}\n'],
  [
    'notifications',
    null,
    'notifications: {enabled: true, targets: []}\n',
    'notifications: {enabled: true}\n',
  ],
  [
    'notifications',
    { targets: [] },
    'notifications: {events: [admin_made]}\n',
    'notifications: {targets: []}\n',
  ],
] as const)('%s: %j', async (section, value, before, after) => {
  const { write, text } = settings(before);
  await write(section, value, unconditional);
  expect(text()).toBe(after);
});

test('a file that does not exist is made', async () => {
  const { isWritable, write, text } = settings(undefined);
  expect(isWritable()).toBe(true);
  await write('timezone', 'UTC', unconditional);
  expect(text()).toBe('timezone: UTC\n');
});

test.each([
  ['timezone', 'UTC', 'timezone: UTC\n'],
  [
    'auth.second_factor',
    { required_for: ['admin'] },
    'auth:\n  second_factor:\n    required_for:\n      - admin\n',
  ],
] as const)(
  'a store that several gates share gives the lines to paste: %s',
  async (section, value, lines) => {
    const { isWritable, write, text } = settings('a: 1\n', 'postgres://db/postern');
    expect(isWritable()).toBe(false);
    await expect(write(section, value, unconditional)).rejects.toEqual(
      expect.objectContaining({ code: 'configuration_read_only', also: { lines } }),
    );
    expect(text()).toBe('a: 1\n');
  },
);

test('a file that cannot be replaced stays, and the answer has the lines', async () => {
  const { write, text, file } = settings('a: 1\n');
  mkdirSync(`${file}.new`);
  const error = await write('timezone', 'UTC', unconditional).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ also: { lines: 'timezone: UTC\n' } });
  expect(text()).toBe('a: 1\n');
});

const written = `notifications:
  targets:
    - type: mail
      url: smtps://{SERVICE_MAIL_USER}:{SERVICE_MAIL_PASSWORD}@mail.example.org
      from: a@b.example
    - { type: ntfy, url: 'https://ntfy.sh/x', token: tk_secret }
    - { type: webhook, url: 'http://nas.example.org/hook', secret: the secret of the hook, private: true }
`;

test.each([
  [
    { type: 'ntfy', url: 'https://ntfy.sh/new' },
    { token: undefined, mayBePrivate: false },
  ],
  [{ type: 'ntfy', url: 'http://192.168.1.5/new' }, { mayBePrivate: true }],
  [{ type: 'ntfy', url: 'https://ntfy.sh/x', token: '***' }, { token: 'tk_secret' }],
  [{ type: 'ntfy', url: 'https://ntfy.sh/x' }, { token: undefined }],
  [
    { type: 'mail', url: 'smtps://{SERVICE_MAIL_USER}:***@mail.example.org', from: 'a@b.example' },
    { url: 'smtps://olaf:pa55-of-the-mail@mail.example.org' },
  ],
  [
    { type: 'webhook', url: 'http://nas.example.org/hook', secret: '***' },
    { secret: 'the secret of the hook', mayBePrivate: false },
  ],
])('the target %j is read as the gate would use it', async (value, expected) => {
  expect(await settings(written).targetOf(value)).toMatchObject(expected);
});

test.each<[value: unknown, message: string | RegExp]>([
  [{ type: 'ntfy', url: 'https://ntfy.sh/y', token: '***' }, 'secret_missing'],
  [{ type: 'webhook', url: 'https://ntfy.sh/x', secret: '***' }, 'secret_missing'],
  [
    { type: 'mail', url: 'smtps://{SERVICE_MAIL_USER}:***@evil.example', from: 'a@b.example' },
    'placeholder_refused',
  ],
  [{ type: 'ntfy', url: 'https://ntfy.sh/{SERVICE_MAIL_PASSWORD}' }, 'placeholder_refused'],
  [{ type: 'ntfy', url: 'https://ntfy.sh' }, /notifications\.targets/],
  ['https://ntfy.sh/x', /notifications\.targets/],
  [null, /notifications\.targets/],
  [[], /notifications\.targets/],
])('%j is no target', async (value, message) => {
  const error: unknown = await settings(written)
    .targetOf(value)
    .catch((caught: unknown) => caught);
  expect(error instanceof AppError ? error.code : (error as Error).message).toMatch(message);
});

test('a target that is written already may have placeholders that are no secret', async () => {
  const { read, write, text } = settings(written);
  await write('notifications', { ...(read('notifications') as object), events: [] }, unconditional);
  expect(text()).toContain('url: smtps://{SERVICE_MAIL_USER}:{SERVICE_MAIL_PASSWORD}@mail.example.org');
  expect(text()).toContain('events: []');
});
