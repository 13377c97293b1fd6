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
  const seconds = Math.max(1, 10 * pace.scale);
  const changes = Math.max(10, 2_000 * pace.scale);
  const used = async (work: () => Promise<unknown>) => {
    const [ofGate, ofPostgres] = [gate.processorTime(), postgresTime(cluster)];
    await work();
    return { gate: gate.processorTime() - ofGate, postgres: postgresTime(cluster) - ofPostgres };
  };
  const changer = await openChanger(database);
  await sleep(2_000);
  const idle = await used(() => sleep(1_000 * seconds));
  const alone = await used(() => changer.change(changes));
  const connections = { before: childrenOf(cluster.pid()).length };
  const listeners = await Promise.all(Array.from({ length: gates }, () => listen(database)));
  const memory = privateMemory(childrenOf(cluster.pid()).slice(connections.before));
  const heard = await used(() => changer.change(changes));
  await Promise.all([changer, ...listeners].map((client) => client.end()));
  await gate.close();

  // Seconds of a processor.
  const beat = {
    gate: idle.gate / (beatsPerSecond * seconds),
    postgres: idle.postgres / (beatsPerSecond * seconds),
  };
  const perChange = { gate: alone.gate / changes, postgres: alone.postgres / changes };
  const perListener = (heard.postgres - alone.postgres) / changes / gates;
  const changesPerSecond = changesPerHour / 3_600;
  const estimate = {
    beats: gates * beatsPerSecond * beat.postgres,
    changes: changesPerSecond * (perChange.postgres + gates * perListener),
    gate: beatsPerSecond * beat.gate + changesPerSecond * perChange.gate,
  };
  const microseconds = (value: number) => `${count(value * 1e6)} µs`;
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`;
  return {
    title: 'Many gates, estimated',
    how: `Processor time is what Linux has counted (\`schedstat\`) of the gate and of all processes of PostgreSQL together. A gate that nobody asks is watched for ${count(seconds)} seconds; then the counter of changes is raised ${count(changes)} times and told of, first with that gate alone, then with ${gates} more connections that listen. The estimate is these constants times ${gates} gates and ${count(changesPerHour)} changes an hour; what the gates ask anew after a change comes on top, one query for each session that is asked about.`,
    tables: [
      {
        head: ['processor time', 'of PostgreSQL', 'of each gate'],
        rows: [
          ['one heartbeat', microseconds(beat.postgres), microseconds(beat.gate)],
          ['one change, told to one gate', microseconds(perChange.postgres), microseconds(perChange.gate)],
          ['telling one more', microseconds(perListener), ''],
          [
            `estimate: heartbeats of ${gates} gates, of one core`,
            percent(estimate.beats),
            percent(beatsPerSecond * beat.gate),
          ],
          [
            `estimate: ${count(changesPerHour)} changes an hour, of one core`,
            percent(estimate.changes),
            percent(changesPerSecond * perChange.gate),
          ],
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

async function listen(database: PostgresDatabase): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('LISTEN postern_changes');
  return client;
}

/** A connection that raises the counter as a change does, and tells of it. What it took of the processor is seen while it is open. */
export async function openChanger(database: PostgresDatabase) {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return {
    change: async (times: number) => {
      for (let done = 0; done < times; done += 1)
        await client.query(
          `WITH raised AS (UPDATE store_version SET version = version + 1 RETURNING version, roles)
           SELECT pg_notify('postern_changes', version || ' ' || roles) FROM raised`,
        );
    },
    end: () => client.end(),
  };
}

function postgresTime(cluster: PostgresCluster): number {
  return [cluster.pid(), ...childrenOf(cluster.pid())].reduce((sum, pid) => sum + processorTime(pid), 0);
}

/** Bytes that a process has for itself, on the average of some. */
function privateMemory(pids: readonly number[]): number {
  const kibibytes = pids.map((pid) => {
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss_Anon:\s+(\d+) kB/m.exec(memory)?.[1]);
  });
  return (kibibytes.reduce((sum, each) => sum + each, 0) / pids.length) * 1_024;
}
