import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startFaultyLink, type FaultyLink } from '../../test/support/faulty-link.ts';
import { startLiveRecorder } from '../../test/support/live-recorder.ts';
import { openStream, streamsOf, type OpenStream } from '../../test/support/open-stream.ts';
import {
  createDatabase,
  startPostgresCluster,
  type PostgresDatabase,
} from '../../test/support/postgres-cluster.ts';
import { readSlowly } from '../../test/support/slow-reader.ts';
import { askerOf } from './asker.ts';
import { startGate, type GateProcess } from './gate-process.ts';
import { atMost, count, milliseconds, percentile, type Table, type Target } from './report.ts';
import { stoppedAtEnd } from './running.ts';
import { viewerToken } from './session-tokens.ts';

const cameras = ['driveway'];
/** More than a second of what the slowest client reads, each tenth of a second. */
const pictureBytes = 400_000;

const config = {
  networking: { listen: { authenticated: '127.0.0.1:0', internal: 'off' } },
  auth: { failed_login_rate_limit: '' },
  limits: { connections_per_client: 4_000, upstream_connections: 4_000 },
  cameras,
};

interface Measured {
  readonly table: Table;
  readonly targets: readonly Target[];
}

/** Bytes a second, of clients that read slowly. */
const paces = [50, 100, 500].map((kibibytes) => kibibytes * 1_024);

/** Milliseconds in which all buffers between the recorder and a client have filled. */
const filling = 3_000;

/** How long a slow client continues to read, over TLS. */
export async function measureSlowReaders(times: number): Promise<Measured> {
  const recorder = await startLiveRecorder({ cameras, roles: {} }, () => Buffer.alloc(pictureBytes, 1));
  const stopRecorder = stoppedAtEnd(recorder.close);
  const gate = await startGate({ ...config, upstream: `http://${recorder.address}` });
  const ask = askerOf(gate);
  const rows: string[][] = [];
  let slowest = 0;
  for (const pace of paces) {
    const found = await Promise.all(
      Array.from({ length: times }, async (_, n) => {
        const token = viewerToken(n);
        const headers = [['Authorization', `Bearer ${token}`]] as const;
        const at = { address: gate.front, tls: true };
        const reader = await readSlowly(at, streamsOf('driveway').picture, headers);
        reader.pace(pace);
        // Each in another moment of the rhythm in which its system takes more.
        await pause(filling + (2_000 * n) / times);
        await ask('POST', '/api/logout', { token });
        const [answered, before] = [performance.now(), reader.read()];
        await reader.ended;
        return { after: Math.max(0, reader.lastReadAt() - answered), bytes: reader.read() - before };
      }),
    );
    const afters = found.map(({ after }) => after);
    slowest = Math.max(slowest, percentile(afters, 0.5));
    rows.push([
      `${count(pace / 1_024)} KiB a second`,
      ...[0.5, 1].map((share) => milliseconds(percentile(afters, share))),
      `${count(Math.max(...found.map(({ bytes }) => bytes)) / 1_024)} KiB`,
    ]);
  }
  await gate.close();
  await stopRecorder();
  return {
    table: { head: ['a client over TLS that reads', 'last byte read, p50', 'greatest', 'most bytes'], rows },
    targets: [
      atMost(
        'last byte that a client reads over TLS that reads 50 KiB a second, p50, milliseconds',
        1_000,
        slowest,
      ),
    ],
  };
}

/** Milliseconds there and back. */
const journeys = [20, 50];
const tokensOfOne = 75;
const owners = [1, 2];

/** Measures a distant store with streams of API tokens: after an unrelated change, and after one that ends them. */
export async function measureFarStore(times: number): Promise<Measured> {
  const cluster = await startPostgresCluster();
  const stopCluster = stoppedAtEnd(cluster.close);
  const recorder = await startLiveRecorder({ cameras, roles: {} });
  const stopRecorder = stoppedAtEnd(recorder.close);
  const rows: string[][] = [];
  let cut = 0;
  let last = 0;
  for (const journey of journeys) {
    const database = await createDatabase(cluster.address);
    const link = await startFaultyLink(cluster.address.port);
    const gate = await startGate(
      { ...config, tls: { enabled: false }, upstream: `http://${recorder.address}` },
      'port',
      { ...database, urlAt: () => database.urlAt(link.port) },
    );
    const tokens = await makeTokens(database);
    link.delay(journey / 2);
    await pause(1_000);
    let lost = 0;
    const ends: number[] = [];
    const ask = askerOf(gate);
    for (let round = 0; round < times; round += 1) {
      const streams = await openByTokens(gate, tokens);
      await pause(1_000);
      const before = streams.filter(({ isOpen }) => isOpen());
      await ask('POST', '/api/logout', { token: viewerToken(900 + round) });
      await pause(2_000);
      lost += before.filter(({ isOpen }) => !isOpen()).length;
      for (const [index, owner] of owners.entries()) {
        const ended = endOf(streams.slice(index * tokensOfOne, (index + 1) * tokensOfOne));
        await ask('PUT', blockedUri(owner), { body: { blocked: true } });
        const answered = performance.now();
        ends.push(Math.max(0, (await ended) - answered));
      }
      for (const owner of owners) await ask('PUT', blockedUri(owner), { body: { blocked: false } });
    }
    cut += lost;
    last = Math.max(last, ...ends);
    const stalled = await measureStall(gate, link, tokens);
    last = Math.max(last, stalled);
    rows.push([
      `${journey} ms`,
      count(lost),
      milliseconds(percentile(ends, 0.5)),
      milliseconds(Math.max(...ends)),
      milliseconds(stalled),
    ]);
    await gate.close();
    await link.close();
  }
  await stopRecorder();
  await stopCluster();
  const many = count(tokensOfOne * owners.length);
  return {
    table: {
      head: [
        `there and back; ${many} streams of as many API tokens`,
        `cut by the logout of another, in ${count(times)} rounds`,
        'the last one ends after the block of its owner, p50',
        'greatest',
        'the last one ends after the link stalls',
      ],
      rows,
    },
    targets: [
      atMost('streams of API tokens that the logout of another has cut, at up to 50 ms', 0, cut),
      atMost('end of the last of them, with a store that is far away or stalls, milliseconds', 1_000, last),
    ],
  };
}

const ownerOf = (n: number) => `user_${String(n).padStart(4, '0')}`;
const blockedUri = (n: number) => `/postern/api/users/${ownerOf(n)}/blocked`;

/** Written into the store, since an owner may not make so many at once. */
async function makeTokens({ query }: Pick<PostgresDatabase, 'query'>): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (const n of owners)
    for (let i = 0; i < tokensOfOne; i += 1) {
      const token = `postern_${randomBytes(32).toString('base64url')}`;
      await query(
        `INSERT INTO api_tokens (token_id, name, username, role, token_hash, created_at) VALUES ($1, $2, $3, 'viewer', $4, 0)`,
        [randomUUID(), `t${i}`, ownerOf(n), hash('sha256', token, 'hex')],
      );
      tokens.push(token);
    }
  return tokens;
}

function openByTokens(gate: GateProcess, tokens: readonly string[]): Promise<OpenStream[]> {
  return Promise.all(
    tokens.map(async (token) => {
      const headers = [['Authorization', `Bearer ${token}`]] as const;
      const at = { address: gate.front, tls: false };
      for (;;) {
        const stream = await openStream(at, streamsOf('driveway').video, headers);
        if (stream.status === 101) return stream;
        await pause(100);
      }
    }),
  );
}

/** @returns when the last of them has ended */
async function endOf(streams: readonly OpenStream[]): Promise<number> {
  await Promise.all(streams.map(({ ended }) => ended));
  return performance.now();
}

async function measureStall(gate: GateProcess, link: FaultyLink, tokens: readonly string[]): Promise<number> {
  const ended = endOf(await openByTokens(gate, tokens));
  await pause(500);
  link.stall();
  const stalled = performance.now();
  const after = (await ended) - stalled;
  link.restore();
  return after;
}
