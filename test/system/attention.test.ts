import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { startGateway } from '../support/start-gateway.ts';

const kindsFor = async (who: Visitor) => {
  const { status, body } = await who.send('GET', '/postern/api/attention');
  return status === 200 ? (JSON.parse(body) as Array<{ kind: string }>).map(({ kind }) => kind) : status;
};

test('a new gate shows its admin what is left to do, and all others that the events are a sample', async () => {
  const gateway = await startGateway({ sample: true });
  onTestFinished(() => gateway.close());
  const address = gateway.addresses.authenticated ?? '';
  const admin = await adminOf(gateway);
  expect(await kindsFor(admin)).toEqual(['password_generated', 'first_run', 'sample_data']);
  const vera = await userOf(admin, address, 'vera', 'viewer');
  expect(await kindsFor(vera)).toEqual(['sample_data']);
  expect(await kindsFor(visitor(address))).toBe(401);
  const internal = visitor(gateway.addresses.internal ?? '', false);
  expect(await kindsFor(internal)).toEqual(['first_run', 'sample_data']);
  expect(await kindsFor(visitor(gateway.addresses.forwardAuthAuthenticated ?? ''))).toBe(401);

  const old = /password: (\S+)/.exec(gateway.log.map(({ msg }) => String(msg)).join('\n'))?.[1];
  const changed = await admin.send('PUT', '/api/users/admin/password', {
    password: goodPassword,
    old_password: old,
  });
  expect(changed.status).toBe(200);
  expect(await kindsFor(admin)).toEqual(['first_run', 'sample_data']);
});

test('reports a certificate that expires soon', async () => {
  let time = Date.now();
  const gateway = await startGateway({ clock: { now: () => time } });
  onTestFinished(() => gateway.close());
  expect(await kindsFor(await adminOf(gateway))).not.toContain('certificate_ends');
  // The gate has made it for 825 days.
  time += 810 * 86_400_000;
  const answer = await (await adminOf(gateway)).send('GET', '/postern/api/attention');
  expect(JSON.parse(answer.body)).toContainEqual(
    expect.objectContaining({
      kind: 'certificate_ends',
      detail: expect.objectContaining({ days: 14 }) as unknown,
    }),
  );
});

const lost: ReadonlySet<string> = new Set(['accounts_lost', 'jwt_secret_lost']);

test.each<
  [what: string, lose: (directory: string) => void, said: readonly string[], kinds: readonly string[]]
>([
  ['the secret', (at) => rmSync(join(at, '.jwt_secret')), ['jwt_secret_lost'], ['secret_lost']],
  [
    'an emptied postern.db',
    (at) => {
      for (const part of ['-wal', '-shm']) rmSync(join(at, `postern.db${part}`), { force: true });
      writeFileSync(join(at, 'postern.db'), '');
    },
    ['accounts_lost'],
    ['accounts_lost'],
  ],
  [
    'postern.db and the secret',
    (at) => {
      for (const name of ['postern.db', 'postern.db-wal', 'postern.db-shm', '.jwt_secret'])
        rmSync(join(at, name), { force: true });
    },
    ['accounts_lost', 'jwt_secret_lost'],
    ['accounts_lost', 'secret_lost'],
  ],
])(
  'a start after sign-ins that lacks %s says what is gone, to admins alone',
  async (_, lose, said, kinds) => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-lost-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const eventsIn = (log: ReadonlyArray<Record<string, unknown>>) =>
      log.map(({ event }) => String(event)).filter((event) => lost.has(event));
    const first = await startGateway({ directory });
    const { body } = await (await adminOf(first)).send('GET', '/postern/api/attention');
    expect(body).not.toContain('_lost');
    expect(eventsIn(first.log)).toEqual([]);
    await first.close();

    lose(directory);
    const second = await startGateway({ directory });
    onTestFinished(() => second.close());
    expect(eventsIn(second.log)).toEqual(said);
    const { log } = kinds.includes('accounts_lost') ? second : first;
    const admin = await adminOf({ ...second, log });
    expect((await kindsFor(admin)) as string[]).toEqual(expect.arrayContaining([...kinds]) as unknown);
    const vera = await userOf(admin, second.addresses.authenticated ?? '', 'vera', 'viewer');
    expect(String(await kindsFor(vera))).not.toContain('_lost');
  },
);
