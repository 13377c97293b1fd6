import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, startPostgresCluster } from '../../test/support/postgres-cluster.ts';
import { keptConnection, sendRaw } from '../../test/support/raw-http.ts';
import { addUsersTo, secret, viewerToken } from '../../test/support/session-tokens.ts';
import { startGates, type Gate } from '../../test/support/start-gates.ts';
import { startNginx } from '../../test/support/start-nginx.ts';
import { count, inTurns, median, microseconds, milliseconds, percentile, type Pace } from './figures.ts';
import { openSite } from './gate.ts';
import { askFully } from './load.ts';
import { atEnd } from './programs.ts';
import { questionHeaders, writeThumbnailQuestions } from './questions.ts';
import type { Measurement } from './targets.ts';

const clients = 8;

/** Requests. */
interface Tally {
  readonly asked: number;
  readonly failed: number;
}
const outOf = ({ failed, asked }: Tally): string => `${failed} of ${count(asked)}`;

/** A section of docs/growth.md. */
export const growth: Measurement = {
  name: 'growth',
  title: 'Figures',
  sentence: `Gates on one machine with PostgreSQL, behind nginx with \`nginx/several-gates.conf\`; wrk asks nginx about thumbnails with one session. Then ${clients} clients ask without pause while a gate is killed (SIGKILL), and while one loses PostgreSQL.`,
  async measure(pace) {
    const two = await measureGates(2, pace);
    const three = await measureGates(3, pace);
    const row = (title: string, cell: (house: typeof two) => string) => [title, cell(two), cell(three)];
    const lost = two.killed.failed + three.killed.failed;
    return {
      says: `A killed gate loses ${lost} requests.`,
      rows: [
        ['', 'two gates', 'three gates'],
        row('processor time of an answer, all gates', ({ processor }) => microseconds(processor)),
        row('signed out here, refused elsewhere after (p99)', ({ revoked }) => milliseconds(revoked)),
        row('a gate is killed: requests lost', ({ killed }) => outOf(killed)),
        row('its store is cut: requests refused', ({ cut }) => outOf(cut)),
      ],
    };
  },
};

async function measureGates(size: 2 | 3, { rounds, seconds, scale }: Pace) {
  const cluster = await startPostgresCluster();
  atEnd(cluster.close);
  const database = await createDatabase(cluster.address);
  const site = await openSite(10_000);
  const config = { events: { database: `${site.directory}/recorder.db` } };
  const house = await startGates({ count: size, database, jwtSecret: secret, config });
  atEnd(house.close);
  await addUsersTo(database);
  const { gates } = house;
  const [one = '', other = '', third] = gates.map(({ directory }) => directory);
  // several-gates.conf has two.
  const line = (directory: string) => `server unix:${directory}/authenticated.sock max_fails=0;`;
  const more = third === undefined ? [] : [[line(other), `${line(other)} ${line(third)}`] as const];
  const nginx = await startNginx({
    gates: [one, other],
    recorder: site.recorder,
    tls: false,
    changes: { 'several-gates.conf': more },
  });
  atEnd(nginx.close);
  const address = nginx.authenticated;
  const lines = writeThumbnailQuestions(`${site.directory}/thumbnails`, 10_000, 100_000);
  const headers = questionHeaders(`session_token=${viewerToken()}`);
  const load = { address, path: '/{1}', headers, lines };
  const pids = gates.map((gate) => gate.pid());
  const { full } = await inTurns(rounds, { full: () => askFully(load, seconds, ...pids) });
  const times: number[] = [];
  for (let n = 0; n < Math.max(3, 200 * scale); n += 1) times.push(...(await revokeOnce(gates)));
  const [, second] = gates as readonly [Gate, Gate];
  const killed = await askWhile(address, seconds, () => second.end('SIGKILL'));
  await second.start();
  const cut = await askWhile(address, seconds, () => second.link.cut());
  return { processor: median(full, 'processor'), revoked: percentile(times, 0.99), killed, cut };
}

const question = (token: string) => ({
  uri: '/auth',
  headers: Object.entries(questionHeaders(`session_token=${token}`, '/api/front_door/latest.jpg')),
});

/** @returns milliseconds from the answer of a sign-out at the first gate to the first refusal of each other */
async function revokeOnce([first, ...others]: readonly Gate[]): Promise<readonly number[]> {
  const token = viewerToken();
  for (const { address } of others) {
    const { status } = await sendRaw(address, question(token));
    if (status !== 200) throw new Error(`a gate answers ${status}`);
  }
  const watches = others.map(async ({ address }) => {
    using connection = keptConnection(address);
    while ((await connection.send(question(token))).status === 200);
    return performance.now();
  });
  const headers = [['Cookie', `session_token=${token}`]] as const;
  const { status } = await sendRaw(first?.address ?? '', { method: 'POST', uri: '/api/logout', headers });
  if (status >= 400) throw new Error(`signing out: ${status}`);
  const revoked = performance.now();
  return (await Promise.all(watches)).map((refused) => Math.max(0, refused - revoked));
}

/** Asks through nginx without pause while something happens after a while. @returns how many had another answer than 200 */
async function askWhile(
  address: string,
  seconds: number,
  happen: () => Promise<void> | void,
): Promise<Tally> {
  const headers = Object.entries(questionHeaders(`session_token=${viewerToken()}`));
  const tally = { asked: 0, failed: 0 };
  const over = new AbortController();
  const client = async () => {
    using connection = keptConnection(address);
    for (; !over.signal.aborted; tally.asked += 1) {
      const { status } = await connection.send({
        uri: `/api/front_door/latest.jpg?cache=${tally.asked}`,
        headers,
      });
      if (status !== 200) tally.failed += 1;
    }
  };
  const asking = Array.from({ length: clients }, client);
  await sleep(500 * seconds);
  await happen();
  await sleep(2_000 * seconds);
  over.abort();
  await Promise.all(asking);
  return tally;
}
