import { pbkdf2Sync } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createPasswordHasher, parsePasswordHash } from '../../../../src/accounts/users/password-hash.ts';

const sample = new DatabaseSync(new URL('../../../support/recorder.db', import.meta.url), { readOnly: true });
const storedHash = (username: string) =>
  String(
    sample.prepare('SELECT password_hash FROM user WHERE username = ?').get(username)?.['password_hash'],
  );

const hasher = createPasswordHasher();
const quickHasher = createPasswordHasher({ iterations: 1_000 });
const key = (password: string, salt: string, iterations: number) =>
  pbkdf2Sync(password, salt, iterations, 32, 'sha256').toString('base64');
const hashOf = (password: string, iterations: number) =>
  `pbkdf2_sha256$${iterations}$pepper$${key(password, 'pepper', iterations)}`;

describe("a recorder's hashes", () => {
  test.each([
    ['admin', 'recorder-admin-pass'],
    ['alice', 'alice-in-the-yard'],
    ['olaf', 'olaf-opens-garage'],
    ['ghost.user', 'ghost-of-a-role-1'],
  ])('%s', async (username, password) => {
    expect(storedHash(username)).toMatch(/^pbkdf2_sha256\$/);
    expect(await hasher.verify(password, storedHash(username))).toMatchObject({ matches: true });
    expect(await hasher.verify(`${password} `, storedHash(username))).toMatchObject({ matches: false });
  });
});

test('a hash is PBKDF2-SHA256 with 600,000 iterations and a salt of its own', async () => {
  const hashes = await Promise.all([hasher.hash('twelve chars'), hasher.hash('twelve chars')]);
  expect(hashes[0]).not.toBe(hashes[1]);
  for (const text of hashes) {
    const [algorithm, iterations, salt = '', digest] = text.split('$');
    expect([algorithm, iterations]).toEqual(['pbkdf2_sha256', '600000']);
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(digest).toBe(key('twelve chars', salt, 600_000));
  }
  expect(await hasher.verify('twelve chars', hashes[0])).toEqual({ matches: true, outdated: false });
});

test('a password is compared as it was typed: nothing is cut off, folded or normalized', async () => {
  const typed = `Pässword ${'x'.repeat(100)}`;
  const stored = await quickHasher.hash(typed);
  expect(await quickHasher.verify(typed, stored)).toMatchObject({ matches: true });
  for (const other of [
    typed.toLowerCase(),
    ` ${typed}`,
    typed.slice(0, -1),
    typed.slice(0, 72),
    typed.normalize('NFD'),
    typed.replace('ä', 'a'),
  ])
    expect(await quickHasher.verify(other, stored), other).toMatchObject({ matches: false });
});

test.each<[what: string, iterations: number, password: string, expected: object]>([
  ['fewer iterations match, and are outdated', 1_000, 'a password', { matches: true, outdated: true }],
  ['a wrong password is not outdated', 1_000, 'another', { matches: false, outdated: false }],
  ['more iterations match, and are not outdated', 700_000, 'a password', { matches: true, outdated: false }],
])('%s', async (_, iterations, password, expected) => {
  expect(await hasher.verify(password, hashOf('a password', iterations))).toEqual(expected);
});

const good = hashOf('a password', 1);
const digest = good.split('$')[3] ?? '';
const broken: ReadonlyArray<readonly [what: string, text: string]> = [
  ['nothing', ''],
  ['plain text', 'a password'],
  ['another algorithm', good.replace('sha256', 'sha512')],
  ['an algorithm in capitals', good.replace('pbkdf2', 'PBKDF2')],
  ['bcrypt', '$2b$12$abcdefghijklmnopqrstuuTnFAKfQJ4J2Tt7mXYWkQJYbHxL1m1oS'],
  ['no iterations', good.replace('$1$', '$0$')],
  ['negative iterations', good.replace('$1$', '$-1$')],
  ['iterations that are no number', good.replace('$1$', '$1e3$')],
  ['a leading zero', good.replace('$1$', '$01$')],
  ['absurd iterations', good.replace('$1$', '$2000001$')],
  ['more iterations than a number can say', good.replace('$1$', `$1${'0'.repeat(400)}$`)],
  ['no salt', good.replace('pepper', '')],
  ['an endless salt', good.replace('pepper', 'x'.repeat(129))],
  ['a short key', good.slice(0, -5)],
  ['a long key', `${good}AAAA`],
  ['a key that is no base64', good.replace(digest, `${digest.slice(0, 10)}!${digest.slice(11)}`)],
  ['an empty key', good.replace(digest, '')],
  ['a line break', `${good}\n`],
  ['a fifth part', `${good}$`],
];

test.each(broken)('is no hash: %s', (_, text) => {
  expect(parsePasswordHash(text)).toBeUndefined();
});

test('a broken or missing hash matches nothing, without an error', async () => {
  const decoy = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
  for (const text of [undefined, 'broken', good.replace('$1$', '$4000000000$')]) {
    expect(await quickHasher.verify('a password', text)).toEqual({ matches: false, outdated: false });
  }
  expect(await quickHasher.verify(decoy, undefined)).toMatchObject({ matches: false });
});

/** A hasher that notes what it would have to do, and finishes it on demand. */
function notingHasher(concurrency: number) {
  const running: Array<{ readonly iterations: number; readonly end: () => void }> = [];
  const hasher = createPasswordHasher({
    concurrency,
    derive: ({ iterations, keyLength }) =>
      new Promise((resolve) => {
        running.push({ iterations, end: () => resolve(Buffer.alloc(keyLength)) });
      }),
  });
  return {
    ...hasher,
    running,
    /** Ends what runs, and all that begins after it. @returns the iterations, summed up */
    finish: async (outcome: Promise<unknown>) => {
      const ended = outcome.then(
        () => true,
        () => true,
      );
      const turn = () => new Promise<boolean>((resolve) => void setImmediate(() => resolve(false)));
      let iterations = 0;
      while (!(await Promise.race([ended, turn()]))) {
        for (const job of running.splice(0)) {
          iterations += job.iterations;
          job.end();
        }
      }
      return iterations;
    },
  };
}

test.each<[what: string, text: string | undefined]>([
  ['a broken', 'broken'],
  ['a missing', undefined],
  ['an outdated', hashOf('a password', 1_000)],
  ['a sound', `pbkdf2_sha256$600000$pepper$${digest}`],
])('%s hash takes the work of a new one', async (_, text) => {
  const noting = notingHasher(1);
  expect(await noting.finish(noting.verify('wrong', text))).toBe(600_000);
});

describe('a flood', () => {
  test('waits in a queue; a full one rejects with a time to retry', async () => {
    const two = notingHasher(2);
    const outcomes = Promise.allSettled(Array.from({ length: 60 }, () => two.verify('x', undefined)));
    await two.finish(outcomes);
    const refused = (await outcomes).flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    expect(60 - refused.length).toBeGreaterThanOrEqual(32);
    expect(60 - refused.length).toBeLessThanOrEqual(34);
    for (const reason of refused)
      expect(reason).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 5 });
    const hash = two.hash('a good password');
    await two.finish(hash);
    await expect(hash).resolves.toMatch(/^pbkdf2_sha256/);
  });

  test.each([1, 2, 3])('does no more work at once than it was asked for: %i', async (concurrency) => {
    const noting = notingHasher(concurrency);
    const outcomes = Promise.all(Array.from({ length: 8 }, () => noting.verify('x', undefined)));
    await new Promise(setImmediate);
    expect(noting.running).toHaveLength(concurrency);
    noting.running.shift()?.end();
    await new Promise(setImmediate);
    expect(noting.running).toHaveLength(concurrency);
    await noting.finish(outcomes);
  });
});
