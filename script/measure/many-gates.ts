import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  childrenOf,
  createDatabase,
  startPostgresCluster,
  type PostgresCluster,
  type PostgresDatabase,
} from '../../test/support/postgres-cluster.ts';
import { processorTime } from './child.ts';
import { startGate } from './gate-process.ts';
import { count, type Section } from './report.ts';
import type { Pace } from './rounds.ts';
import { stoppedAtEnd } from './running.ts';

/** Of the estimate. */
const gates = 100;
const changesPerHour = 10_000;
const beatsPerSecond = 4;

/** What PostgreSQL and a gate take for each change and for each gate that there is: the constants of an estimate for many. */
export async function measureManyGates(pace: Pace): Promise<Section> {
  const cluster = await startPostgresCluster();
  stoppedAtEnd(cluster.close);
  const database = await createDatabase(cluster.address);
  const gate = await startGate({}, 'port', database);
  const alone = await startGate({});
  const seconds = Math.max(1, 20 * pace.scale);
  const times = Math.max(10, 2_000 * pace.scale);
  const connection = await openConnection(database);
  const listeners = await Promise.all(Array.from({ length: gates }, () => openConnection(database)));
  await sleep(1_000 * Math.min(5, seconds));

  const used = async (work: () => Promise<unknown>) => {
    const before = [gate.processorTime(), alone.processorTime(), postgresTime(cluster)] as const;
    await work();
    return {
      gate: gate.processorTime() - before[0],
      alone: alone.processorTime() - before[1],
      postgres: postgresTime(cluster) - before[2],
    };
  };
  const repeated = (statement: string) => async () => {
    for (let done = 0; done < times; done += 1) await connection.query(statement);
  };
  const idle = await used(() => sleep(1_000 * seconds));
  const asked = await used(repeated(question));
  const announced = await used(repeated(change));
  const others = childrenOf(cluster.pid());
  await Promise.all(listeners.map((listener) => listener.query(`LISTEN ${channel}`)));
  const memory = privateMemory(others.slice(-gates));
  const announcedToAll = await used(repeated(change));
  await Promise.all([connection, ...listeners].map((client) => client.end()));
  for (const each of [gate, alone]) await each.close();

  // Seconds of a processor.
  const beat = asked.postgres / times;
  const oneChange = announced.postgres / times;
  const oneMore = (announcedToAll.postgres - announced.postgres) / times / gates;
  const changesPerSecond = changesPerHour / 3_600;
  const microseconds = (value: number) => `${count(value * 1e6)} µs`;
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`;
  return {
    title: 'Many gates, estimated',
    how: `Processor time is what Linux has counted of a gate and of all processes of PostgreSQL. The question of the heartbeat is asked ${count(times)} times, and a change announced as often, with one gate that listens and with ${gates} connections more. The estimate is these constants times ${gates} gates and ${count(changesPerHour)} changes an hour. After a change, gates also ask again about each session, by one query.`,
    tables: [
      {
        head: ['processor time of PostgreSQL', ''],
        rows: [
          ['one heartbeat', microseconds(beat)],
          ['one change, told to one gate', microseconds(oneChange)],
          ['telling it to one more', microseconds(oneMore)],
          [`estimate: heartbeats of ${gates} gates, of one core`, percent(gates * beatsPerSecond * beat)],
          [
            `estimate: ${count(changesPerHour)} changes an hour told to ${gates} gates, of one core`,
            percent(changesPerSecond * (oneChange + gates * oneMore)),
          ],
        ],
      },
      {
        head: ['processor time of a gate', ''],
        rows: [
          ['idle, SQLite, of one core', percent(idle.alone / seconds)],
          ['idle, PostgreSQL, of one core', percent(idle.gate / seconds)],
          ['hearing of one change', microseconds(announced.gate / times)],
        ],
      },
      {
        head: ['memory of PostgreSQL', ''],
        rows: [
          ['one connection that listens', `${count(memory / 1_024)} KiB`],
          [`estimate: ${gates} gates, that connection of each`, `${count((gates * memory) / 1_048_576)} MiB`],
        ],
      },
    ],
  };
}

const channel = 'postern_changes';

/** As the heartbeat asks. */
const question = 'SELECT version, roles, pg_is_in_recovery() AS standby FROM store_version';

/** As a change raises the counter and announces it. */
const change = `WITH raised AS (UPDATE store_version SET version = version + 1 RETURNING version, roles)
  SELECT pg_notify('${channel}', version || ' ' || roles) FROM raised`;

async function openConnection({ url }: PostgresDatabase): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Changes the store so many times a second while something is done. */
export async function whileChanging<T>(
  database: PostgresDatabase,
  timesPerSecond: number,
  work: () => Promise<T>,
): Promise<T> {
  const connection = await openConnection(database);
  const state = { isOver: false };
  const changing = (async () => {
    while (!state.isOver) {
      await connection.query(change);
      await sleep(1_000 / timesPerSecond);
    }
  })();
  try {
    return await work();
  } finally {
    state.isOver = true;
    await changing;
    await connection.end();
  }
}

function postgresTime(cluster: PostgresCluster): number {
  return [cluster.pid(), ...childrenOf(cluster.pid())].reduce((sum, pid) => sum + processorTime(pid), 0);
}

/** Private bytes of a process, averaged over several. */
function privateMemory(pids: readonly number[]): number {
  const kibibytes = pids.map((pid) => {
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss_Anon:\s+(\d+) kB/m.exec(memory)?.[1]);
  });
  return (kibibytes.reduce((sum, each) => sum + each, 0) / pids.length) * 1_024;
}
