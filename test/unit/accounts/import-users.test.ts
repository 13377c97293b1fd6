import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { planImport, readRecorderUsers } from '../../../src/accounts/import-users.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

const sample = join(import.meta.dirname, '..', '..', '..', 'data', 'sample.db');
const passwordHash = `pbkdf2_sha256$600000$salt$${'A'.repeat(43)}=`;
const user = (username: string, role = 'viewer', hash = passwordHash) => ({
  username,
  role,
  passwordHash: hash,
});
const plan = (found: ReadonlyArray<ReturnType<typeof user>>, existing: readonly string[] = []) =>
  planImport(found, new Set(existing), new Set(['admin', 'viewer', 'operator']));

test("a recorder's users are read by name, with role and hash", () => {
  const users = readRecorderUsers(sample);
  expect(users.map(({ username, role }) => `${username} ${role}`)).toEqual([
    'admin admin',
    'alice viewer',
    'ghost.user no_such_role',
    'olaf operator',
  ]);
  for (const { passwordHash: hash } of users) expect(hash).toMatch(/^pbkdf2_sha256\$\d+\$/);
});

test.each<[what: string, make: (path: string) => void]>([
  ['no database', (path) => writeFileSync(path, 'not SQLite'.repeat(200))],
  ['an empty file', (path) => writeFileSync(path, '')],
  ['a database without users', (path) => new DatabaseSync(path).exec('CREATE TABLE event (id TEXT)')],
  ['users without hashes', (path) => new DatabaseSync(path).exec('CREATE TABLE user (username, role)')],
])('%s is no recorder: said with the path', (_, make) => {
  const path = join(temporaryDirectory(), 'recorder.db');
  make(path);
  expect(() => readRecorderUsers(path)).toThrow(`${path} is no recorder's database with users`);
});

test('a file that is not there is not made', () => {
  expect(() => readRecorderUsers(join(temporaryDirectory(), 'none.db'))).toThrow('there is no ');
});

test.each<[what: string, found: ReturnType<typeof user>, existing: string[], why: RegExp]>([
  ['a user who is here', user('olaf'), ['olaf'], /user of this name/],
  ['a name with a space', user('o laf'), [], /name is not allowed/],
  ['anonymous', user('anonymous'), [], /name is not allowed/],
  ['an endless name', user('x'.repeat(65)), [], /name is not allowed/],
  ['no hash', user('olaf', 'viewer', ''), [], /hash cannot be read/],
  ['another algorithm', user('olaf', 'viewer', passwordHash.replace('256', '512')), [], /hash cannot/],
  ['absurd iterations', user('olaf', 'viewer', passwordHash.replace('600', '9999')), [], /hash cannot/],
])('%s is left out: %s', (_, found, existing, why) => {
  const { imported, skipped } = plan([found, user('vera')], existing);
  expect(imported.map(({ user: { username } }) => username)).toEqual(['vera']);
  expect(skipped).toEqual([{ name: found.username, why: expect.stringMatching(why) as string }]);
});

test.each<[role: string, becomes: string, formerRole: string | undefined]>([
  ['admin', 'admin', undefined],
  ['viewer', 'viewer', undefined],
  ['operator', 'operator', undefined],
  ['Admin', 'viewer', 'Admin'],
  ['ghost', 'viewer', 'ghost'],
  ['', 'viewer', ''],
])('the role %j becomes %s', (role, becomes, formerRole) => {
  const { imported } = plan([user('olaf', role)]);
  expect(imported).toEqual([{ user: { username: 'olaf', role: becomes, passwordHash }, formerRole }]);
});

test.each<[what: string, roles: Record<string, string[]>, cameras: string[] | undefined, expected: object]>([
  [
    'with the role that the recorder has',
    { night: ['garage'], other: ['yard'] },
    ['garage'],
    { made: [['night', ['garage']]], imported: [['nell', 'night', undefined, undefined]] },
  ],
  [
    'with it, where the gate takes any camera',
    { night: ['garage', 'attic'] },
    undefined,
    { made: [['night', ['garage', 'attic']]], imported: [['nell', 'night', undefined, undefined]] },
  ],
  [
    'as viewer, when the gate does not know a camera of it',
    { night: ['garage', 'attic'] },
    ['garage'],
    { made: [], imported: [['nell', 'viewer', 'night', 'cameras does not name attic']] },
  ],
  [
    'as viewer, when it has every camera',
    { night: [] },
    ['garage'],
    { made: [], imported: [['nell', 'viewer', 'night', 'it has no cameras of its own']] },
  ],
  [
    'as viewer, when the recorder does not have it either',
    { other: ['garage'] },
    ['garage'],
    { made: [], imported: [['nell', 'viewer', 'night', undefined]] },
  ],
])('somebody with a role of the recorder alone is taken over %s', (_, roles, cameras, expected) => {
  const atRecorder = new Map(Object.entries(roles).map(([role, granted]) => [role, new Set(granted)]));
  const { imported, roles: made } = planImport(
    [user('nell', 'night'), user('here', 'other')],
    new Set(['here']),
    new Set(['admin', 'viewer', 'operator']),
    { roles: atRecorder, cameras },
  );
  expect({
    made: [...made].map(([role, granted]) => [role, [...granted]]),
    imported: imported.map(({ user: { username, role }, formerRole, obstacle }) => [
      username,
      role,
      formerRole,
      obstacle,
    ]),
  }).toEqual(expected);
});

test('a name that the gate does not take is no role of it', () => {
  const roles = new Map([['nachtw\u00e4chter', new Set(['garage'])]]);
  const { imported } = planImport([user('nell', 'nachtw\u00e4chter')], new Set(), new Set(), {
    roles,
    cameras: undefined,
  });
  expect(imported).toMatchObject([{ user: { role: 'viewer' }, obstacle: 'the name is not allowed here' }]);
});
