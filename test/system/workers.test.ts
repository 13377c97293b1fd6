import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { version } from '../../src/version.ts';
import { connectTo, keptConnection, sendRaw, type RawRequest } from '../support/raw-http.ts';
import { scrape } from '../support/scrape.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { childrenOf, startProcess, type RunningProcess } from '../support/start-process.ts';

const patient = { timeout: 60_000 };

const site = (directory: string) => ({
  networking: {
    listen: {
      authenticated: '127.0.0.1:0',
      internal: '127.0.0.1:0',
      metrics: `unix:${directory}/metrics.sock`,
    },
    forward_auth: { authenticated: `unix:${directory}/auth.sock` },
  },
  auth: { failed_login_rate_limit: '5/minute', roles: { family: ['front'] } },
  events: { listen: `unix:${directory}/events.sock` },
  server: { workers: 2 },
});

type LogLine = Readonly<Record<string, unknown>>;

const linesOf = ({ output }: Pick<RunningProcess, 'output'>): LogLine[] =>
  output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogLine);

const start = (config: (directory: string) => object = site) =>
  startProcess(config, ':', { LOG_LEVEL: 'debug' });

let asked = 0;

/** A connection to the internal entry point that a worker has taken, and which. */
async function connectionOf(gate: RunningProcess, address = gate.addresses.internal) {
  const connection = keptConnection(address);
  onTestFinished(() => connection[Symbol.dispose]());
  const uri = `/api/stats/${(asked += 1)}`;
  await connection.send({ uri });
  const { promise, resolve } = Promise.withResolvers<number>();
  await vi.waitFor(() => {
    const line = linesOf(gate).find(({ path }) => path === uri);
    resolve(Number(line?.['worker']));
    expect(line).toBeDefined();
  }, patient);
  return { ...connection, worker: await promise };
}

/** One connection to each of two workers. */
async function bothOf(gate: RunningProcess) {
  const first = await connectionOf(gate);
  for (;;) {
    const second = await connectionOf(gate);
    if (second.worker !== first.worker) return [first, second] as const;
  }
}

const logIn = (user: string, password: string): RawRequest => ({
  method: 'POST',
  uri: '/api/login',
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ user, password }),
});
const put = (uri: string, body: object): RawRequest => ({
  method: 'PUT',
  uri,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify(body),
});

describe('two workers', () => {
  test('are one gate: one password, one start, the same listeners, limits and metrics', async () => {
    const gate = await start();
    const { directory, addresses } = gate;
    const lines = linesOf(gate);
    expect(lines.filter(({ msg }) => String(msg).includes('created user "admin"'))).toHaveLength(1);
    for (const name of ['auth.sock', 'metrics.sock', 'events.sock'])
      expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o660]);

    // Each takes connections of every listener.
    const [one, other] = await bothOf(gate);
    expect(new Set([one.worker, other.worker])).toEqual(new Set([1, 2]));
    const asks = [
      [addresses.authenticated, true, '/api/events', 401],
      [`unix:${directory}/auth.sock`, false, '/auth', 401],
      [`unix:${directory}/events.sock`, false, '/api/events', 401],
    ] as const;
    for (const [address, tls, uri, status] of asks)
      for (let i = 0; i < 4; i += 1)
        expect([uri, (await sendRaw(address, { uri }, tls)).status]).toEqual([uri, status]);

    // However many ask at once and wherever, the limit is one.
    const guesses = await Promise.all(
      Array.from({ length: 200 }, () => sendRaw(addresses.authenticated, logIn('admin', 'guess'), true)),
    );
    const answered = Map.groupBy(guesses, ({ status }) => status);
    expect([answered.get(401)?.length, answered.get(429)?.length]).toEqual([5, 195]);
    const limited = linesOf(gate).filter(({ event }) => event === 'login_limited');
    expect(new Set(limited.map(({ worker }) => worker))).toEqual(new Set([1, 2]));

    // Whichever answers, it answers for both.
    const before = await scrape(addresses.internal);
    expect(before.get('postern_logins_total{result="failure"}')).toBe(5);
    expect(before.get('postern_logins_total{result="limited"}')).toBe(195);
    expect(before.get('postern_check_successful{check="workers"}')).toBe(1);
    expect(before.get(`postern_build_info{version="${version}"}`)).toBe(1);
    const samples = [await one.send({ uri: '/metrics' }), await other.send({ uri: '/metrics' })];
    for (const { body } of samples) expect(body).toContain('postern_logins_total{result="limited"} 195');

    process.kill(gate.pid, 'SIGTERM');
    expect(await gate.exited).toEqual([0, null]);
    for (const name of ['auth.sock', 'metrics.sock', 'events.sock'])
      expect([name, existsSync(join(directory, name))]).toEqual([name, false]);
    const activity = new DatabaseSync(join(directory, 'activity.db'), { readOnly: true });
    const starts = activity.prepare(`SELECT count(*) AS n FROM audit_records WHERE event = 'started'`).get();
    activity.close();
    expect(starts).toEqual({ n: 1 });
  });

  test('have what one of them changed, before that is answered', async () => {
    const gate = await start();
    const [one, other] = await bothOf(gate);
    const rolesOf = async ({ send }: typeof one) => {
      const { body } = await send({ uri: '/postern/api/roles' });
      const found = JSON.parse(body) as ReadonlyArray<{ readonly name: string; readonly cameras: string[] }>;
      return found.find(({ name }) => name === 'family')?.cameras;
    };
    // A role is in config.yml.
    for (let round = 0; round < 10; round += 1) {
      const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one];
      const cameras = [`camera${round}`];
      expect((await writer.send(put('/postern/api/roles/family', { cameras }))).status).toBe(200);
      expect(await rolesOf(reader)).toEqual(cameras);
    }
    // At once in both: neither loses a write of the other.
    for (let round = 0; round < 10; round += 1) {
      const names = [`first${round}`, `second${round}`];
      const written = await Promise.all(
        [one, other].map(({ send }, place) =>
          send(put(`/postern/api/roles/${names[place]}`, { cameras: ['a'] })),
        ),
      );
      expect(written.map(({ status }) => status)).toEqual([200, 200]);
      for (const { send } of [one, other]) {
        const { body } = await send({ uri: '/postern/api/roles' });
        for (const name of names) expect(body).toContain(`"${name}"`);
      }
    }

    // A session is in the store.
    const password = /password: (\S+)/.exec(gate.output())?.[1] ?? '';
    const auth = `unix:${gate.directory}/auth.sock`;
    const sessions = [keptConnection(auth), keptConnection(auth), keptConnection(auth), keptConnection(auth)];
    onTestFinished(() => sessions.forEach((session) => session[Symbol.dispose]()));
    for (let round = 0; round < 3; round += 1) {
      const login = await sendRaw(gate.addresses.authenticated, logIn('admin', password), true);
      expect(login.status).toBe(200);
      const cookie = login.headers.get('set-cookie')?.[0]?.split(';')[0] ?? '';
      const ask: RawRequest = {
        uri: '/auth',
        headers: [
          ['X-Original-Method', 'GET'],
          ['X-Original-URL', '/api/version'],
          ['Cookie', cookie],
        ],
      };
      for (const { send } of sessions) expect((await send(ask)).status).toBe(200);
      const logout = { uri: '/api/logout', headers: [['Cookie', cookie]] } as const;
      expect((await sessions[round]?.send(logout))?.status).toBe(303);
      for (const { send } of sessions) expect((await send(ask)).status).toBe(401);
    }
  });

  test('take no one for a viewer while their role is being removed', async () => {
    const gate = await start();
    const connection = await connectionOf(gate);
    const password = 'correct horse battery';
    const cookies: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const role = `guard${round}`;
      await connection.send(put(`/postern/api/roles/${role}`, { cameras: ['gate'] }));
      await connection.send({
        ...put('/api/users', { username: role, password, role }),
        method: 'POST',
      });
      const login = await sendRaw(gate.addresses.authenticated, logIn(role, password), true);
      cookies.push(login.headers.get('set-cookie')?.[0]?.split(';')[0] ?? '');
    }
    const auth = `unix:${gate.directory}/auth.sock`;
    const fronts = Array.from({ length: 6 }, () => keptConnection(auth));
    onTestFinished(() => fronts.forEach((front) => front[Symbol.dispose]()));
    const statuses = new Set<number>();
    for (const [round, cookie] of cookies.entries()) {
      const ask: RawRequest = {
        uri: '/auth',
        headers: [
          ['X-Original-Method', 'GET'],
          ['X-Original-URL', '/api/garage/latest.jpg'],
          ['Cookie', cookie],
        ],
      };
      const removed = new AbortController();
      const asking = fronts.map(async ({ send }) => {
        while (!removed.signal.aborted) statuses.add((await send(ask)).status);
      });
      const removal = { method: 'DELETE', uri: `/postern/api/roles/guard${round}?reassign_to=family` };
      const { status } = await connection.send(removal);
      removed.abort();
      await Promise.all(asking);
      expect(status).toBe(200);
    }
    // A viewer sees all cameras: 200.
    expect(statuses).toEqual(new Set([401, 403]));
  });

  test('read the files again together, or not at all', async () => {
    const gate = await start();
    const { directory, pid } = gate;
    const write = (changed: object) =>
      writeFileSync(join(directory, 'config.yml'), stringify({ ...site(directory), ...changed }));
    const hashOf = async (send: (request: RawRequest) => Promise<{ readonly body: string }>) => {
      const { body } = await send({ uri: '/postern/api/configuration' });
      return (JSON.parse(body) as { readonly hash: string }).hash;
    };
    const attempts = (event: string) => linesOf(gate).filter((line) => line['event'] === event);

    write({ contact: 'ask-anna' });
    process.kill(pid, 'SIGHUP');
    await vi.waitFor(() => expect(attempts('configuration_reloaded').length).toBeGreaterThan(0), patient);
    const [one, other] = await bothOf(gate);
    const { hash } = attempts('configuration_reloaded')[0] ?? {};
    expect(hash).not.toBe(attempts('started')[0]?.['hash']);
    for (const { send } of [one, other]) expect(await hashOf(send)).toBe(hash);

    // One line for all has the mistake; each logs that it is not ready for the next.
    write({ contact: 'ask-bert', auth: { enabled: 'perhaps' } });
    process.kill(pid, 'SIGHUP');
    await vi.waitFor(() => expect(attempts('configuration_refused').length).toBeGreaterThan(0), patient);
    const mistakes = linesOf(gate).filter((line) => line['path'] === 'auth.enabled');
    const refusals = linesOf(gate).filter(({ msg }) => String(msg).includes('nothing was changed'));
    expect(mistakes).toHaveLength(refusals.length);
    for (const { send } of [one, other]) expect(await hashOf(send)).toBe(hash);
    await vi.waitFor(async () => {
      for (const { send } of [one, other])
        expect((await send({ uri: '/readyz' })).body).toContain('"configuration":"failed"');
    }, patient);

    // One that starts later has the same as the others, whatever is in the file by now.
    for (const worker of childrenOf(pid)) process.kill(worker, 'SIGKILL');
    await vi.waitFor(() => {
      const again = linesOf(gate).filter(({ msg }) => msg === 'a worker takes connections');
      expect(again).toHaveLength(2);
    }, patient);
    for (const { send } of await bothOf(gate)) expect(await hashOf(send)).toBe(hash);
  });

  test('are replaced when they end, which only their own requests notice', async () => {
    const gate = await start();
    const { pid, addresses } = gate;
    const [one, other] = await bothOf(gate);
    const counted = 'postern_decisions_total{verdict="allow",reason="allowed",front="embedded"}';
    const victim = linesOf(gate).length;
    const [doomed = 0] = childrenOf(pid);
    const over = new AbortController();
    const statuses: number[] = [];
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted)
          statuses.push((await sendRaw(addresses.internal, { uri: '/api/events?limit=1' })).status);
      }),
    );
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(20), patient);
    process.kill(doomed, 'SIGKILL');
    await vi.waitFor(
      () =>
        expect(
          linesOf(gate)
            .slice(victim)
            .some(({ msg }) => msg === 'a worker takes connections'),
        ).toBe(true),
      patient,
    );
    over.abort();
    await load;
    // At most those that it had begun.
    expect(statuses.filter((status) => status !== 200).length).toBeLessThanOrEqual(4);
    // One of two kept connections continued: the other was the dead one's.
    const uris = await Promise.all(
      [one, other].map(async ({ send }) => (await send({ uri: '/healthz' })).status),
    );
    expect(uris).toEqual([200, 200]);
    // Its counts are kept, as far as they were asked for.
    const before = await scrape(addresses.internal);
    const [next = 0] = childrenOf(pid);
    process.kill(next, 'SIGKILL');
    await vi.waitFor(() => expect(childrenOf(pid)).not.toContain(next), patient);
    const after = await scrape(addresses.internal);
    expect(after.get(counted)).toBeGreaterThanOrEqual(before.get(counted) ?? 0);

    // All at once: a client that connects meanwhile waits for the next.
    for (const worker of childrenOf(pid)) process.kill(worker, 'SIGKILL');
    expect((await sendRaw(addresses.internal, { uri: '/healthz' })).status).toBe(200);
  });

  test('hold no one up when one of them is stopped, and serve each connection once', async () => {
    const gate = await start();
    const { pid, addresses } = gate;
    const workers = childrenOf(pid);
    await bothOf(gate);
    const [stopped = 0] = workers;
    const uris = Array.from({ length: 6 }, (_, i) => `/api/stats/stopped${i}`);
    process.kill(stopped, 'SIGSTOP');
    for (const uri of uris) expect((await sendRaw(addresses.internal, { uri })).status).toBe(404);
    // It was not necessary to end it.
    expect(childrenOf(pid)).toEqual(workers);
    process.kill(stopped, 'SIGCONT');
    // Both take connections again.
    await bothOf(gate);
    expect(childrenOf(pid)).toEqual(workers);
    const served = linesOf(gate).filter(({ path }) => uris.includes(String(path)));
    expect(served.map(({ path }) => path)).toEqual(uris);
  });

  test('let what is under way come to its end, and leave no process behind', async () => {
    const gate = await start((directory) => ({ ...site(directory), shutdown_timeout: 3_600 }));
    // Their requests have begun, and are not over.
    const open = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = connectTo(gate.addresses.internal);
        await once(socket, 'connect');
        socket.write('POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
        socket.write('Content-Length: 33\r\nExpect: 100-continue\r\n\r\n');
        // It is asked for: a worker has taken the request.
        await once(socket, 'data');
        return socket;
      }),
    );
    // One that waits for its next request holds nothing up.
    await connectionOf(gate);
    process.kill(gate.pid, 'SIGTERM');
    await vi.waitFor(() => expect(gate.output()).toContain('"msg":"stopping"'), patient);
    const answers = open.map((socket) => once(socket, 'data'));
    for (const socket of open) socket.write('{"user":"unknown","password":"x"}');
    for (const [answer] of await Promise.all(answers)) expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
    expect(await gate.exited).toEqual([0, null]);
  });

  test.each<[how: string, signals: readonly NodeJS.Signals[], code: number | null]>([
    ['is killed', ['SIGKILL'], null],
    ['gets two signals', ['SIGTERM', 'SIGTERM'], 1],
  ])('end with the one that began them when that %s', async (_, signals, code) => {
    const gate = await start((directory) => ({ ...site(directory), shutdown_timeout: 3_600 }));
    const workers = childrenOf(gate.pid);
    expect(workers).toHaveLength(2);
    // A client that would hold them up.
    const socket = connectTo(gate.addresses.internal).on('error', () => undefined);
    socket.write('POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 32\r\nExpect: 100-continue\r\n\r\n');
    await once(socket, 'data');
    for (const signal of signals) {
      process.kill(gate.pid, signal);
      if (signal !== 'SIGKILL')
        await vi.waitFor(() => expect(gate.output()).toContain('"msg":"stopping"'), patient);
    }
    expect((await gate.exited)[0]).toBe(code);
    const isThere = (worker: number) => existsSync(`/proc/${worker}`);
    await vi.waitFor(() => expect(workers.filter(isThere)).toEqual([]), patient);
  });
});

test('without an address to listen on nothing is started, and the message has the reason', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const directory = mkdtempSync(join(tmpdir(), 'postern-workers-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
  writeFileSync(
    join(directory, 'config.yml'),
    stringify({
      networking: { listen: { authenticated: 'off', internal: address } },
      auth: { enabled: false },
      server: { workers: 2 },
    }),
  );
  const child = spawn(process.execPath, [join(projectRoot, 'dist', 'main.js')], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output).toContain('cannot start: networking.listen.internal');
});
