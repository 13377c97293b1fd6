import { setTimeout as pause } from 'node:timers/promises';
import { startLiveRecorder } from '../../test/support/live-recorder.ts';
import { openStream, streamsOf, type OpenStream } from '../../test/support/open-stream.ts';
import { sendRaw } from '../../test/support/raw-http.ts';
import { askerOf, type Ask } from './asker.ts';
import { startGate, type GateProcess } from './gate-process.ts';
import { atMost, count, median, milliseconds, percentile, type Section } from './report.ts';
import type { Pace } from './rounds.ts';
import { viewerToken } from './session-tokens.ts';
import { measureFarStore, measureSlowReaders } from './streams-far-away.ts';
import { stoppedAtEnd } from './running.ts';

const cameras = ['driveway', 'garage'];
const streamsOfOne = 10;
const manyStreams = 1_000;

/** How soon streams end once they are no longer allowed, and what it costs to decide a thousand of them again. */
export async function measureStreams(pace: Pace): Promise<Section> {
  const recorder = await startLiveRecorder({ cameras, roles: { family: cameras } });
  const stopRecorder = stoppedAtEnd(recorder.close);
  const gate = await startGate({
    networking: { listen: { authenticated: '127.0.0.1:0', internal: 'off' } },
    tls: { enabled: false },
    auth: { roles: { family: [...cameras] }, failed_login_rate_limit: '' },
    limits: { connections_per_client: 4_000, upstream_connections: 4_000 },
    cameras,
    upstream: `http://${recorder.address}`,
  });
  const many = Math.max(streamsOfOne, Math.round(manyStreams * Math.min(1, pace.scale * 10)));
  const ends = await measureEnds(gate, Math.max(2, Math.round(20 * pace.scale)));
  const revalidations = [];
  for (const sessions of [10, many])
    revalidations.push(await measureRevalidation(gate, many, sessions, pace.rounds));
  await gate.close();
  await stopRecorder();
  const slow = await measureSlowReaders(Math.max(2, Math.round(10 * pace.scale)));
  const far = await measureFarStore(Math.max(1, Math.round(5 * pace.scale)));
  return {
    title: 'Streams that are open',
    how: `A user has ${streamsOfOne} streams open through the embedded front, half endless pictures and half WebSockets, and loses the right to them: the time runs from the answer to the change until each connection is gone. Then ${count(many)} WebSockets are open when another user is blocked, and all are decided again: processor time is that of the gate, less what the same change takes with nothing open; the longest answer is that of a client that asks for \`/auth\` meanwhile. A client that reads slowly takes 4 KiB at a time; its time runs until it reads the last byte. A store that is far away is PostgreSQL behind a link that delays everything, and in the end lets nothing pass.`,
    tables: [
      {
        head: ['what took the right away', 'p50', 'p99', 'greatest'],
        rows: ends.map(({ change, times }) => [
          change,
          ...[0.5, 0.99, 1].map((share) => milliseconds(percentile(times, share))),
        ]),
      },
      {
        head: ['WebSockets decided again', 'processor time', 'longest answer to others'],
        rows: revalidations.map(({ sessions, cost, longest }) => [
          `${count(many)}, of ${count(sessions)} sessions`,
          milliseconds(cost),
          milliseconds(longest),
        ]),
      },
      slow.table,
      far.table,
    ],
    targets: [
      ...slow.targets,
      ...far.targets,
      atMost(
        'end of a stream, the greatest of all kinds of change, milliseconds',
        1_000,
        Math.max(...ends.flatMap(({ times }) => times)),
      ),
      atMost(
        `${count(many)} WebSockets of 10 sessions decided again, milliseconds of the processor`,
        50,
        revalidations[0]?.cost ?? Number.NaN,
      ),
      atMost(
        `${count(many)} WebSockets of ${count(many)} sessions decided again, milliseconds of the processor`,
        50,
        revalidations[1]?.cost ?? Number.NaN,
      ),
    ],
  };
}

interface Watcher {
  readonly name: string;
  /** Of the session that watches. */
  readonly token: string;
}

const changes: Readonly<Record<string, (ask: Ask, watcher: Watcher) => Promise<unknown>>> = {
  'a logout': (ask, { token }) => ask('POST', '/api/logout', { token }),
  'an admin ends all sessions of the user': (ask, { name }) =>
    ask('DELETE', `/postern/api/sessions?user=${name}`),
  'another password': (ask, { name }) =>
    ask('PUT', `/api/users/${name}/password`, { body: { password: 'correct-horse-battery-2' } }),
  'another role': (ask, { name }) => ask('PUT', `/api/users/${name}/role`, { body: { role: 'viewer' } }),
  'fewer cameras of the role': (ask) =>
    ask('PUT', '/postern/api/roles/family', { body: { cameras: ['garage'] } }),
  'a block': (ask, { name }) => ask('PUT', `/postern/api/users/${name}/blocked`, { body: { blocked: true } }),
  'the end of the user': (ask, { name }) => ask('DELETE', `/api/users/${name}`),
};

async function measureEnds(gate: GateProcess, rounds: number) {
  const ask = askerOf(gate);
  const found: Array<{ readonly change: string; readonly times: readonly number[] }> = [];
  let made = 0;
  for (const [change, take] of Object.entries(changes)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Another one for each time, since some changes end the user.
      const name = `watcher_${(made += 1)}`;
      const password = 'correct-horse-battery';
      await ask('POST', '/api/users', { body: { username: name, password, role: 'family' } });
      const token = await logIn(gate, name, password);
      times.push(...(await timesToEnd(gate, token, () => take(ask, { name, token }))));
      await ask('PUT', '/postern/api/roles/family', { body: { cameras } });
    }
    found.push({ change, times });
  }
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const owner = viewerToken(round);
    const wanted = { token: owner, body: { name: `t${round}`, role: 'viewer' } };
    const { id, token } = JSON.parse(await ask('POST', '/postern/api/tokens', wanted)) as {
      readonly id: string;
      readonly token: string;
    };
    const revoke = () => ask('DELETE', `/postern/api/tokens/${id}`, { token: owner });
    times.push(...(await timesToEnd(gate, token, revoke)));
  }
  return [...found, { change: 'an API token is revoked', times }];
}

/** @returns milliseconds from the answer to a change to the end of each stream */
async function timesToEnd(gate: GateProcess, token: string, change: () => Promise<unknown>) {
  const streams = await openAll(gate, streamsOfOne, () => token);
  const ended = streams.map(async (stream) => {
    await stream.ended;
    return performance.now();
  });
  await change();
  const answered = performance.now();
  return (await Promise.all(ended)).map((at) => Math.max(0, at - answered));
}

async function logIn(gate: GateProcess, user: string, password: string): Promise<string> {
  const { headers } = await sendRaw(gate.front, {
    method: 'POST',
    uri: '/api/login',
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ user, password }),
  });
  return /session_token=([^;]+)/.exec(headers.get('set-cookie')?.[0] ?? '')?.[1] ?? '';
}

async function openAll(
  gate: GateProcess,
  number: number,
  tokenOf: (n: number) => string,
  kinds: ReadonlyArray<'picture' | 'video'> = ['picture', 'video'],
): Promise<OpenStream[]> {
  const streams: OpenStream[] = [];
  const targets = streamsOf('driveway');
  while (streams.length < number) {
    const some = Array.from({ length: Math.min(50, number - streams.length) }, (_, i) => streams.length + i);
    const opened = await Promise.all(
      some.map((n) =>
        openStream({ address: gate.front, tls: false }, targets[kinds[n % kinds.length] ?? 'video'], [
          ['Authorization', `Bearer ${tokenOf(n)}`],
        ]),
      ),
    );
    for (const { status } of opened)
      if (status !== 200 && status !== 101) throw new Error(`a stream was answered with ${status}`);
    streams.push(...opened);
  }
  return streams;
}

/** Milliseconds in which whatever a change causes has happened. */
const aftermath = 500;

async function measureRevalidation(gate: GateProcess, number: number, sessions: number, rounds: number) {
  const ask = askerOf(gate);
  const change = (round: number) =>
    ask('PUT', '/postern/api/users/user_0999/blocked', { body: { blocked: round % 2 === 0 } });
  const costs = async () => {
    const taken: number[] = [];
    for (let round = 0; round <= 2 * rounds; round += 1) {
      const before = gate.processorTime();
      await change(round);
      await pause(aftermath);
      // The first one warms up.
      if (round > 0) taken.push((gate.processorTime() - before) * 1_000);
    }
    return median(taken);
  };
  const without = await costs();
  const tokens = Array.from({ length: sessions }, (_, n) => viewerToken(n % 999));
  const streams = await openAll(gate, number, (n) => tokens[n % sessions] ?? '', ['video']);
  const cost = Math.max(0, (await costs()) - without);
  const stop = new AbortController();
  const asking = askWithoutPause(gate, stop.signal);
  for (let round = 0; round < rounds; round += 1) {
    await change(round);
    await pause(aftermath);
  }
  stop.abort();
  if (!streams.every(({ isOpen }) => isOpen())) throw new Error('a stream ended that was not ended');
  for (const { close } of streams) close();
  return { sessions, cost, longest: await asking };
}

/** @returns the longest answer, in milliseconds */
async function askWithoutPause(gate: GateProcess, stop: AbortSignal): Promise<number> {
  let longest = 0;
  while (!stop.aborted) {
    const sent = performance.now();
    await sendRaw(gate.address, { uri: '/auth', headers: [['Authorization', `Bearer ${viewerToken()}`]] });
    longest = Math.max(longest, performance.now() - sent);
    await pause(1);
  }
  return longest;
}
