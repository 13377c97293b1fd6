import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPasswordHasher } from '../../src/accounts/users/password-hash.ts';
import { createUsers } from '../../src/accounts/users/users.ts';
import { systemClock } from '../../src/clock.ts';
import { unconditional } from '../../src/store/permit.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { startNginx } from '../support/start-nginx.ts';
import { startProcess } from '../support/start-process.ts';
import { sharedStore } from '../unit/store/postgres/shared-store.ts';

const password = 'correct-horse-battery';
const environment = { SERVICE_JWT_SECRET: 's'.repeat(64) };

/** A gate whose sockets are in a directory, on the store. */
async function startGate(sockets: string, url: string, rounds: { left: number }) {
  const at = (name: string) => `unix:${join(sockets, `${name}.sock`)}`;
  const gate = await startProcess(
    {
      store: { url },
      // What is lost must not depend on how fast a sign-in is.
      shutdown_timeout: 60,
      networking: {
        listen: { authenticated: 'off', internal: 'off' },
        forward_auth: { authenticated: at('authenticated'), internal: at('internal') },
        relay: { authenticated: at('relay-authenticated'), internal: at('relay-internal') },
      },
    },
    ':',
    environment,
  );
  rounds.left -= 1;
  return gate;
}

async function startRecorder(): Promise<string> {
  const recorder = createServer((request, response) =>
    response.end(JSON.stringify({ user: request.headers['remote-user'] })),
  ).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  onTestFinished(() => {
    recorder.closeAllConnections();
    recorder.close();
  });
  return `127.0.0.1:${(recorder.address() as AddressInfo).port}`;
}

test('gates that are stopped and started one after the other lose no request and no session', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-rolling-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const places = ['1', '2'].map((name) => join(directory, name));
  for (const place of places) mkdirSync(place);
  const { url } = await emptyDatabase();
  const { store } = await sharedStore(url);
  const passwordHash = await createPasswordHasher({ iterations: 1_000 }).hash(password);
  const olaf = { username: 'olaf', role: 'viewer', passwordHash };
  await createUsers(store, systemClock).add(olaf, unconditional);

  const rounds = { left: places.length * 2 };
  const gates = await Promise.all(places.map((place) => startGate(place, url, rounds)));
  const nginx = await startNginx({ gates: places, recorder: await startRecorder(), tls: false });
  onTestFinished(nginx.close);
  const at = (path: string) => `http://${nginx.authenticated}${path}`;
  const logIn = () =>
    fetch(at('/api/login'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'olaf', password }),
    });
  const cookie = (await logIn()).headers.getSetCookie()[0]?.split(';')[0] ?? '';

  const wrong: unknown[] = [];
  const answered: Record<string, number> = {};
  /** Asks again and again, until all gates were upgraded. */
  const keepAsking = async (what: string, ask: () => Promise<Response>) => {
    while (rounds.left > 0) {
      const answer = await ask();
      const body = await answer.text();
      // A machine that is too busy for the deadlines of the store has the client come again.
      if (answer.status === 503 && answer.headers.has('retry-after')) continue;
      answered[what] = (answered[what] ?? 0) + 1;
      if (!answer.ok) wrong.push([what, answer.status, body.slice(0, 80)]);
    }
  };
  const get = (path: string) => () => fetch(at(path), { headers: { cookie } });
  const load = Promise.all([
    ...Array.from({ length: 4 }, () => keepAsking('recorder', get('/api/version'))),
    ...Array.from({ length: 2 }, () => keepAsking('gate', get('/api/profile'))),
    keepAsking('login', logIn),
  ]);
  for (const [index, place] of places.entries()) {
    process.kill(gates[index]?.pid ?? 0, 'SIGTERM');
    expect(await gates[index]?.exited).toEqual([0, null]);
    await startGate(place, url, rounds);
  }
  await load;
  expect(wrong, nginx.errors()).toEqual([]);
  expect(Object.keys(answered).toSorted()).toEqual(['gate', 'login', 'recorder']);
  expect((await get('/api/profile')()).status).toBe(200);
});

test('what nginx must not send twice gets a connection of its own, also where it keeps connections by default', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-rolling-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const connections = { GET: new Set<Socket>(), POST: new Set<Socket>() };
  const gate = createServer((request, response) => {
    connections[request.method as 'GET' | 'POST'].add(request.socket);
    response.end();
  }).listen(join(directory, 'authenticated.sock'));
  await once(gate, 'listening');
  onTestFinished(() => {
    gate.closeAllConnections();
    gate.close();
  });
  const nginx = await startNginx({
    gates: [directory, directory],
    recorder: await startRecorder(),
    tls: false,
    // The default since nginx 1.29.7.
    changes: {
      'several-gates.conf': [['keepalive_requests 1;', 'keepalive 32;\n    keepalive_requests 1;']],
    },
  });
  onTestFinished(nginx.close);
  for (const method of ['GET', 'POST', 'GET', 'POST', 'GET', 'POST']) {
    const { status } = await fetch(`http://${nginx.authenticated}/api/login`, { method });
    expect(status).toBe(200);
  }
  expect(connections.POST.size).toBe(3);
  expect(connections.GET.size).toBeLessThan(3);
});
