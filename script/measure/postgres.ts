import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDatabase,
  startPostgresCluster,
  type PostgresDatabase,
} from '../../test/support/postgres-cluster.ts';
import { authorizationRequest, withCookie } from './authorization-requests.ts';
import { startGate, type GateProcess } from './gate-process.ts';
import { atLeast, atMost, count, median, memory, type Section } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { stoppedAtEnd, temporaryDirectory } from './running.ts';
import { viewerToken, writeTokens } from './session-tokens.ts';
import { saturate, type LoadResult } from './wrk.ts';

/** Far more than any gate answers in a second. */
const tokensPerSecond = 15_000;

/** `/auth` with its store in PostgreSQL against one with SQLite, and what PostgreSQL is asked meanwhile. */
export async function measurePostgres(pace: Pace): Promise<Section> {
  const cluster = await startPostgresCluster({ shared_preload_libraries: 'pg_stat_statements' });
  stoppedAtEnd(cluster.close);
  const database = await createDatabase(cluster.address);
  await database.query('CREATE EXTENSION pg_stat_statements');
  const gates = { sqlite: await startGate({}), postgres: await startGate({}, 'port', database) };
  const tokens = writeTokens(
    temporaryDirectory('postgres'),
    Math.ceil(tokensPerSecond * Math.max(1, pace.seconds)) * (pace.rounds + 1),
  );
  const warmHeaders = authorizationRequest(withCookie(viewerToken()));
  const coldHeaders = authorizationRequest(withCookie('{record}'));
  const warm = (gate: GateProcess) =>
    saturate({ address: gate.address, headers: warmHeaders, seconds: pace.seconds });
  const from = { sqlite: 0, postgres: 0 };
  const asked = {
    sqliteWarm: nothingAsked(),
    warm: nothingAsked(),
    sqliteCold: nothingAsked(),
    cold: nothingAsked(),
  };
  const cold = async (name: keyof typeof gates) => {
    const records = { ...tokens, order: { from: from[name] } } as const;
    const load = { address: gates[name].address, headers: coldHeaders, seconds: pace.seconds };
    const result = await saturate({ ...load, records });
    from[name] += result.used;
    if (from[name] > tokens.count) throw new Error(`${tokens.count} tokens were not enough`);
    return result;
  };
  const idleMemory = Object.fromEntries(
    await Promise.all(
      Object.entries(gates).map(async ([name, gate]) => {
        await sleep(pace.scale === 1 ? 3_000 : 500);
        return [name, gate.residentMemory()] as const;
      }),
    ),
  );
  const counted = (name: keyof typeof asked, gate: GateProcess, load: () => Promise<LoadResult>) => () =>
    countIn(gate, database, asked[name], load);
  const figures = await interleave(pace, {
    sqliteWarm: counted('sqliteWarm', gates.sqlite, () => warm(gates.sqlite)),
    postgresWarm: counted('warm', gates.postgres, () => warm(gates.postgres)),
    sqliteCold: counted('sqliteCold', gates.sqlite, () => cold('sqlite')),
    postgresCold: counted('cold', gates.postgres, () => cold('postgres')),
  });
  for (const gate of Object.values(gates)) await gate.close();
  const row = (title: string, rates: readonly number[], against: readonly number[], all: Asked) => [
    title,
    count(median(rates)),
    ratioText(rates, against),
    `${((all.processor / all.requests) * 1e6).toFixed(1)} µs`,
  ];
  const ofPostgres = (all: Asked) => [
    (all.queries / all.requests).toFixed(4),
    (all.written / all.seconds).toFixed(1),
    (all.beats / all.seconds).toFixed(1),
  ];
  const warmRatio = ratio(figures.postgresWarm, figures.sqliteWarm);
  return {
    title: 'PostgreSQL',
    how: `One gate has its store in PostgreSQL on the same machine, over TCP, another in SQLite. wrk asks for \`/auth\` with one session cookie (warm), or with cookies that the gate has never seen (cold). PostgreSQL counts its queries (\`pg_stat_statements\`): those that decide, what is written later for many requests at once, and the heartbeat's.`,
    tables: [
      {
        head: [
          '',
          'answers/s',
          'PostgreSQL / SQLite',
          'processor time of the gate, each',
          'queries each',
          'writes/s',
          'heartbeats/s',
        ],
        rows: [
          row('warm, SQLite', figures.sqliteWarm, figures.sqliteWarm, asked.sqliteWarm),
          [
            ...row('warm, PostgreSQL', figures.postgresWarm, figures.sqliteWarm, asked.warm),
            ...ofPostgres(asked.warm),
          ],
          row('cold, SQLite', figures.sqliteCold, figures.sqliteCold, asked.sqliteCold),
          [
            ...row('cold, PostgreSQL', figures.postgresCold, figures.sqliteCold, asked.cold),
            ...ofPostgres(asked.cold),
          ],
        ],
      },
      {
        head: ['', 'resident memory, idle'],
        rows: [
          ['a gate with SQLite', memory(idleMemory['sqlite'] ?? Number.NaN)],
          ['a gate with PostgreSQL', memory(idleMemory['postgres'] ?? Number.NaN)],
        ],
      },
    ],
    targets: [
      atLeast('warm `/auth` with PostgreSQL against SQLite', 0.95, warmRatio),
      atMost('queries to PostgreSQL for each warm request', 0, queriesOf(asked.warm)),
      atMost('queries to PostgreSQL for each cold request', 1, queriesOf(asked.cold)),
    ],
  };
}

interface Asked {
  requests: number;
  seconds: number;
  /** Seconds of the processor that the gate took. */
  processor: number;
  /** Queries by which it decides. */
  queries: number;
  /** What it writes down later, many sessions and records at once. */
  written: number;
  beats: number;
}

function nothingAsked(): Asked {
  return { requests: 0, seconds: 0, processor: 0, queries: 0, written: 0, beats: 0 };
}

/** Queries for each request; of what wrk did not wait for at its end there are a few more. */
const queriesOf = ({ queries, requests }: Asked) => Math.round((queries / requests) * 10) / 10;

/** Adds what a load asks for, and what becomes of it, to what was asked before. @returns its rate */
async function countIn(
  gate: GateProcess,
  database: PostgresDatabase,
  asked: Asked,
  load: () => Promise<LoadResult>,
): Promise<number> {
  await database.query('SELECT pg_stat_statements_reset()');
  const [before, processor] = [performance.now(), gate.processorTime()];
  const { rate, requests } = await load();
  asked.requests += requests;
  asked.seconds += (performance.now() - before) / 1_000;
  asked.processor += gate.processorTime() - processor;
  const [calls = {}] = await database.query(
    `SELECT coalesce(sum(calls) FILTER (WHERE query LIKE '%pg_is_in_recovery%'), 0)::int AS beats,
            coalesce(sum(calls) FILTER (WHERE query ~* '^select .*(users|sessions|tokens|roles)'), 0)::int AS queries,
            coalesce(sum(calls) FILTER (WHERE query ~* '^(insert|delete|update)'), 0)::int AS written
     FROM pg_stat_statements JOIN pg_database ON oid = dbid WHERE datname = current_database()`,
  );
  asked.queries += Number(calls['queries']);
  asked.written += Number(calls['written']);
  asked.beats += Number(calls['beats']);
  return rate;
}
