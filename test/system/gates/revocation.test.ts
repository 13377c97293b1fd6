import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addUsersTo, secret, sessionToken, viewerToken } from '../../support/session-tokens.ts';
import type { FaultyLink } from '../../support/faulty-link.ts';
import { goodPassword, visitor, type Visitor } from '../../support/log-in.ts';
import {
  createDatabase,
  startPostgresCluster,
  type PostgresCluster,
} from '../../support/postgres-cluster.ts';
import { startGates, startNginxBefore, type Gate } from '../../support/start-gates.ts';
import {
  askOnce,
  cookieProof,
  tokenProof,
  watchGate,
  type Proof,
  type Watch,
} from '../../support/watch-gate.ts';

/*
 * Three gates on one PostgreSQL, behind nginx, and each with a link of its own to PostgreSQL. Whatever happens to the links: no
 * gate allows what another has revoked, when it is asked more than a second after the answer to that.
 */

/** Milliseconds from the answer that something is revoked. */
const limitMs = 1_000;

let cluster: PostgresCluster;
let gates: readonly Gate[];
/** Its requests go to the gates in turns. */
let visit: (token: string) => Visitor;
let admin: Visitor;
const closing = new AsyncDisposableStack();
beforeAll(async () => {
  // One that can be killed.
  cluster = await startPostgresCluster();
  closing.defer(cluster.close);
  const database = await createDatabase(cluster.address);
  const house = await startGates({ count: 3, database, jwtSecret: secret });
  closing.defer(house.close);
  await addUsersTo(database);
  const nginx = await startNginxBefore(house);
  closing.defer(nginx.close);
  gates = house.gates;
  visit = (token) => Object.assign(visitor(nginx.authenticated), { token });
  admin = visit(sessionToken('admin', 'admin'));
});
afterAll(() => closing.disposeAsync());

let users = 0;
/** A user with a session. */
function newUser() {
  users += 1;
  const name = `user_${String(users).padStart(4, '0')}`;
  const token = viewerToken(users);
  const send = (method: string, uri: string, body?: object) => visit(token).send(method, uri, body);
  return { name, token, send, proof: cookieProof(token) };
}

const sessionIdOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { readonly sid: string })
    .sid;

/** Watches a session or token at gates that all accept it. */
async function watchAt(watched: readonly Gate[], proof: Proof): Promise<readonly Watch[]> {
  const watches = watched.map(({ address }) => watchGate(address, proof));
  onTestFinished(async () => void (await Promise.all(watches.map((watch) => watch.stop()))));
  for (const { asked } of watches)
    await expect.poll(() => asked.some(({ status }) => status === 200)).toBe(true);
  return watches;
}

/** No request sent more than a second later was allowed, and at least one was sent. */
async function expectRefused(watches: readonly Watch[], revoked: number): Promise<void> {
  for (const watch of watches) {
    await watch.askedAfter(revoked + limitMs);
    const late = watch.asked.filter(({ sent }) => sent >= revoked + limitMs);
    expect(late.filter(({ status }) => status === 200)).toEqual([]);
  }
}

/** Until gates answer so: a busy machine may keep PostgreSQL from answering in time, which is a refusal. */
async function expectAnswer(status: number, proof: Proof, asked = gates): Promise<void> {
  for (const { address } of asked) await expect.poll(() => askOnce(address, proof)).toBe(status);
}

test('a revocation of any kind at one gate is refused by all', async () => {
  const [owner, ...leaving] = Array.from({ length: 6 }, newUser) as [TestUser, ...TestUser[]];
  const made = await owner.send('POST', '/postern/api/tokens', {
    name: 'script',
    role: 'viewer',
    expires_in_days: 1,
  });
  const { id, token } = JSON.parse(made.body) as { readonly id: string; readonly token: string };
  const [loggedOut, ended, changed, promoted, removed] = leaving as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ];
  const watches = (
    await Promise.all(
      [...leaving.map(({ proof }) => proof), tokenProof(token)].map((proof) => watchAt(gates, proof)),
    )
  ).flat();
  const answers = await Promise.all([
    loggedOut.send('POST', '/api/logout'),
    admin.send('DELETE', `/postern/api/sessions/${sessionIdOf(ended.token)}`),
    admin.send('PUT', `/api/users/${changed.name}/password`, { password: goodPassword }),
    admin.send('PUT', `/api/users/${promoted.name}/role`, { role: 'admin' }),
    admin.send('DELETE', `/api/users/${removed.name}`),
    owner.send('DELETE', `/postern/api/tokens/${id}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([303, 204, 200, 200, 200, 204]);
  await expectRefused(watches, performance.now());
  await expectAnswer(200, owner.proof);
});

type TestUser = ReturnType<typeof newUser>;

interface Fault {
  readonly what: string;
  readonly begin: ReadonlyArray<(link: FaultyLink) => void>;
}

const faults: readonly Fault[] = [
  {
    what: 'that cannot connect and one whose network loses everything',
    begin: [(link) => link.cut(), (link) => link.stall()],
  },
  {
    what: 'whose network loses the answers and one whose network is slow',
    begin: [(link) => link.stall('answers'), (link) => link.delay(250)],
  },
];

test.each(faults)('a gate $what refuse it too, and recover afterwards', async ({ begin }) => {
  const [leaving, staying] = [newUser(), newUser()];
  const watches = await watchAt(gates, leaving.proof);
  await expectAnswer(200, staying.proof);
  const [, ...links] = gates.map(({ link }) => link);
  onTestFinished(() => links.forEach((link) => link.restore()));
  links.forEach((link, index) => begin[index]?.(link));
  const atFirst = Object.assign(visitor(gates[0]?.address ?? ''), { token: leaving.token });
  expect((await atFirst.send('POST', '/api/logout')).status).toBe(303);
  const revoked = performance.now();
  await expectRefused(watches, revoked);
  await expectAnswer(200, staying.proof, gates.slice(0, 1));
  for (const link of links) link.restore();
  await expectAnswer(200, staying.proof);
  await expectAnswer(401, leaving.proof);
  await expectRefused(watches, revoked);
});

test('all gates refuse all users while PostgreSQL is down, and afterwards those revoked before', async () => {
  const [leaving, staying] = [newUser(), newUser()];
  const watches = await watchAt(gates, leaving.proof);
  expect((await leaving.send('POST', '/api/logout')).status).toBe(303);
  const revoked = performance.now();
  const others = await watchAt(gates, staying.proof);
  await cluster.kill();
  await expectRefused(others, performance.now());
  await expectRefused(watches, revoked);
  for (const { address } of gates) expect(await askOnce(address, staying.proof)).toBe(503);
  await cluster.start();
  await Promise.all(others.map((watch) => watch.stop()));
  await expectAnswer(200, staying.proof);
  await expectAnswer(401, leaving.proof);
  await expectRefused(watches, revoked);
});

test('a gate that stood still has forgotten what it knew', async () => {
  const [leaving, staying] = [newUser(), newUser()];
  const [first, other] = gates as readonly [Gate, Gate];
  await expectAnswer(200, leaving.proof);
  process.kill(other.pid(), 'SIGSTOP');
  // It has heard nothing when it continues.
  other.link.stall();
  onTestFinished(() => {
    process.kill(other.pid(), 'SIGCONT');
    other.link.restore();
  });
  const asked = askOnce(other.address, leaving.proof);
  const atFirst = Object.assign(visitor(first.address), { token: leaving.token });
  expect((await atFirst.send('POST', '/api/logout')).status).toBe(303);
  const [meanwhile] = await watchAt([first], staying.proof);
  await meanwhile?.askedAfter(performance.now() + limitMs);
  process.kill(other.pid(), 'SIGCONT');
  expect(await asked).toBe(503);
  other.link.restore();
  await expectAnswer(200, staying.proof);
});
