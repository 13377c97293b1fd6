import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { planImport, readRecorderUsers } from '../../../../src/accounts/users/import-users.ts';
import { projectRoot } from '../../../support/start-gateway.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';

const sample = join(projectRoot, 'test', 'support', 'recorder.db');
const passwordHash = `pbkdf2_sha256$600000$salt$${'A'.repeat(43)}=`;
const user = (username: string, role = 'viewer', hash = passwordHash) => ({
  username,
  role,
  passwordHash: hash,
});
const plan = (found: ReadonlyArray<ReturnType<typeof user>>, existing: readonly string[] = []) =>
  planImport(found, existing, new Set(['admin', 'viewer', 'operator']));

test("reads a recorder's users with role and hash", () => {
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

test('does not create a missing file', () => {
  expect(() => readRecorderUsers(join(temporaryDirectory(), 'none.db'))).toThrow('there is no ');
});

test.each<[what: string, found: ReturnType<typeof user>, existing: string[], why: RegExp]>([
  ['a user who is here', user('olaf'), ['olaf'], /user of this name/],
  ['a user who is here in another case', user('Olaf'), ['olaf'], /^there is the user olaf, whose name/],
  ['a name with a space', user('o laf'), [], /name is not allowed/],
  ['anonymous', user('anonymous'), [], /name is not allowed/],
  ['Anonymous', user('Anonymous'), [], /name is not allowed/],
  ['the gate itself', user('Postern'), [], /name is not allowed/],
  ['two dots', user('..'), [], /name is not allowed/],
  ['an endless name', user('x'.repeat(65)), [], /name is not allowed/],
  ['no hash', user('olaf', 'viewer', ''), [], /hash cannot be read/],
  ['another algorithm', user('olaf', 'viewer', passwordHash.replace('256', '512')), [], /hash cannot/],
  ['absurd iterations', user('olaf', 'viewer', passwordHash.replace('600', '9999')), [], /hash cannot/],
  ['a role that is not defined', user('olaf', 'ghost'), [], /^the role ghost is not defined here$/],
  ['a role in another case', user('olaf', 'Admin'), [], /^the role Admin is not defined here, and the name/],
  ['a role without a name', user('olaf', ''), [], /^the role {2}is not defined here$/],
  ['no access', user('olaf', 'none'), [], /^the role none means no access$/],
])('%s is left out: %s', (_, found, existing, why) => {
  const { imported, skipped } = plan([found, user('vera')], existing);
  expect(imported.map(({ username }) => username)).toEqual(['vera']);
  expect(skipped).toEqual([{ name: found.username, why: expect.stringMatching(why) as string }]);
});

test('imports neither of two users whose names differ only in case', () => {
  const { imported, skipped } = plan([user('Admin', 'viewer'), user('admin', 'admin'), user('vera')]);
  expect(imported.map(({ username }) => username)).toEqual(['vera']);
  expect(skipped.map(({ name, why }) => [name, why])).toEqual([
    ['Admin', expect.stringContaining('the recorder has the user admin too')],
    ['admin', expect.stringContaining('the recorder has the user Admin too')],
  ]);
});

test.each(['admin', 'viewer', 'operator'])('keeps the role %s and the hash', (role) => {
  const { imported, skipped, lacksRoles } = plan([user('olaf', role)]);
  expect([imported, skipped, lacksRoles]).toEqual([[{ username: 'olaf', role, passwordHash }], [], false]);
});

test('needs the roles of the recorder only if one is missing', () => {
  expect(plan([user('olaf', 'ghost')]).lacksRoles).toBe(true);
  expect(plan([user('o laf', 'ghost')]).lacksRoles).toBe(false);
});

test.each<
  [what: string, roles: Record<string, string[]>, cameras: string[] | undefined, why: string | undefined]
>([
  ['with the role that the recorder has', { night: ['garage'], other: ['yard'] }, ['garage'], undefined],
  ['with it, where the gate takes any camera', { night: ['garage', 'attic'] }, undefined, undefined],
  [
    'not, when the gate does not know a camera of it',
    { night: ['garage', 'attic'] },
    ['garage'],
    'the role night is not defined here, and cannot be made: cameras does not name attic',
  ],
  [
    'not, when it has every camera',
    { night: [] },
    ['garage'],
    'the role night is not defined here, and cannot be made: the recorder gives it every camera',
  ],
  [
    'not, when the recorder does not have it either',
    { other: ['garage'] },
    ['garage'],
    'the role night is not defined here, nor at the recorder',
  ],
])('a user with a role of the recorder alone is taken over %s', (_, roles, cameras, why) => {
  const atRecorder = new Map(Object.entries(roles).map(([role, granted]) => [role, new Set(granted)]));
  const {
    imported,
    roles: made,
    skipped,
  } = planImport(
    [user('nell', 'night'), user('nick', 'night'), user('here', 'other')],
    ['here'],
    new Set(['admin', 'viewer', 'operator']),
    { roles: atRecorder, cameras },
  );
  expect(imported.map(({ username, role }) => `${username} ${role}`)).toEqual(
    why === undefined ? ['nell night', 'nick night'] : [],
  );
  expect([...made].map(([role, granted]) => [role, [...granted]])).toEqual(
    why === undefined ? [['night', roles['night']]] : [],
  );
  const left = { name: 'here', why: 'there is a user of this name' };
  expect(skipped).toEqual(why === undefined ? [left] : [{ name: 'nell', why }, { name: 'nick', why }, left]);
});

test.each([
  [
    'nachtw\u00e4chter',
    'the role nachtw\u00e4chter is not defined here, and cannot be made: the name is not allowed here',
  ],
  ['Operator', 'the role Operator is not defined here, and the name of operator is the same'],
  ['None', 'the role None means no access'],
])('the role %s of a recorder is none of the gate', (role, why) => {
  const { imported, roles, skipped } = planImport([user('nell', role)], [], new Set(['operator']), {
    roles: new Map([[role, new Set(['garage'])]]),
    cameras: undefined,
  });
  expect([imported, roles.size, skipped]).toEqual([[], 0, [{ name: 'nell', why }]]);
});
