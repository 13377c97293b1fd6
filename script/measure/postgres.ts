import { setTimeout as sleep } from 'node:timers/promises';
import {
  createDatabase,
  startPostgresCluster,
  type PostgresDatabase,
} from '../../test/support/postgres-cluster.ts';
import { authorizationRequest, withCookie } from './authorization-requests.ts';
import { startGate, type GateProcess } from './gate-process.ts';
import { openChanger } from './many-gates.ts';
import { atLeast, atMost, count, median, memory, type Section } from './report.ts';
import { interleave, ratio, ratioText, type Pace } from './rounds.ts';
import { stoppedAtEnd, temporaryDirectory } from './running.ts';
import { viewerToken, writeTokens } from './session-tokens.ts';
import { saturate } from './wrk.ts';

/** Far more than any gate answers in a second. */
const tokensPerSecond = 15_000;

/** Changes a second in the busy house: 10,000 an hour. */
const changesPerSecond = 10_000 / 3_600;

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
    saturate({ address: gate.address, path: '/auth', headers: warmHeaders, seconds: pace.seconds });
  const from = { sqlite: 0, postgres: 0 };
  const asked = { warm: noQuestions(), cold: noQuestions(), changing: noQuestions() };
  const cold = async (name: keyof typeof gates) => {
    const records = { ...tokens, order: { from: from[name] } } as const;
    const load = { address: gates[name].address, path: '/auth', headers: coldHeaders, seconds: pace.seconds };
    const result = await saturate({ ...load, records });
    from[name] += result.used;
    if (from[name] > tokens.count) throw new Error(`${tokens.count} tokens were not enough`);
    return result;
  };
  // Seconds of the processor that one decision takes of the gate.
  const idleMemory = Object.fromEntries(
    await Promise.all(
      Object.entries(gates).map(async ([name, gate]) => {
        await sleep(pace.scale === 1 ? 3_000 : 500);
        return [name, gate.residentMemory()] as const;
      }),
    ),
  );
  const figures = await interleave(pace, {
    sqliteWarm: async () => (await warm(gates.sqlite)).rate,
    postgresWarm: () => counted(database, asked.warm, () => warm(gates.postgres)),
    sqliteCold: async () => (await cold('sqlite')).rate,
    postgresCold: () => counted(database, asked.cold, () => cold('postgres')),
    postgresChanging: () =>
      counted(database, asked.changing, () => whileChanging(database, () => warm(gates.postgres))),
  });
  for (const gate of Object.values(gates)) await gate.close();
  const row = (
    title: string,
    rates: readonly number[],
    against: readonly number[],
    questions?: Questions,
  ) => [
    title,
    count(median(rates)),
    ratioText(rates, against),
    questions === undefined ? '' : perRequest(questions),
    questions === undefined ? '' : (questions.beats / questions.seconds).toFixed(1),
  ];
  const warmRatio = ratio(figures.postgresWarm, figures.sqliteWarm);
  return {
    title: 'PostgreSQL',
    how: `One gate has its store in a PostgreSQL on the same machine, over TCP on 127.0.0.1, another in SQLite. wrk asks for \`/auth\` with one session cookie again and again (warm), and with cookies that the gate has never seen (cold), as in the section about cold requests. PostgreSQL counts its queries itself (\`pg_stat_statements\`); the heartbeat's are counted apart. Changing: while wrk asks, something in the store changes ${changesPerSecond.toFixed(1)} times a second, which is 10,000 times an hour.`,
    tables: [
      {
        head: [
          '',
          'answers/s',
          'PostgreSQL / SQLite (least – greatest)',
          'queries a request',
          'heartbeats/s',
        ],
        rows: [
          row('warm, SQLite', figures.sqliteWarm, figures.sqliteWarm),
          row('warm, PostgreSQL', figures.postgresWarm, figures.sqliteWarm, asked.warm),
          row('warm and changing, PostgreSQL', figures.postgresChanging, figures.sqliteWarm, asked.changing),
          row('cold, SQLite', figures.sqliteCold, figures.sqliteCold),
          row('cold, PostgreSQL', figures.postgresCold, figures.sqliteCold, asked.cold),
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
      atMost('queries to PostgreSQL for each warm request', 0, round(queriesOf(asked.warm))),
      atMost('queries to PostgreSQL for each cold request', 1, round(queriesOf(asked.cold))),
    ],
  };
}

interface Questions {
  requests: number;
  seconds: number;
  /** Queries of the gate but for its heartbeat. */
  queries: number;
  beats: number;
}

function noQuestions(): Questions {
  return { requests: 0, seconds: 0, queries: 0, beats: 0 };
}

const queriesOf = ({ queries, requests }: Questions) => queries / requests;
const perRequest = (questions: Questions) => queriesOf(questions).toFixed(4);
/** What the gate writes down in turns (who was seen last) is a query for many requests. */
const round = (value: number) => Math.round(value * 100) / 100;

async function counted(
  database: PostgresDatabase,
  questions: Questions,
  load: () => Promise<{ readonly rate: number }>,
): Promise<number> {
  await database.query('SELECT pg_stat_statements_reset()');
  const before = performance.now();
  const { rate } = await load();
  const seconds = (performance.now() - before) / 1_000;
  const [calls = {}] = await database.query(
    `SELECT coalesce(sum(calls) FILTER (WHERE query LIKE '%pg_is_in_recovery%'), 0)::int AS beats,
            coalesce(sum(calls) FILTER (WHERE query ~ '^(select|insert|update|delete)'), 0)::int AS queries
     FROM pg_stat_statements JOIN pg_database ON oid = dbid WHERE datname = current_database()`,
  );
  questions.requests += rate * seconds;
  questions.seconds += seconds;
  questions.queries += Number(calls['queries']);
  questions.beats += Number(calls['beats']);
  return rate;
}

async function whileChanging<T>(database: PostgresDatabase, load: () => Promise<T>): Promise<T> {
  const changer = await openChanger(database);
  const state = { isOver: false };
  const changing = (async () => {
    while (!state.isOver) {
      await changer.change(1);
      await sleep(1_000 / changesPerSecond);
    }
  })();
  try {
    return await load();
  } finally {
    state.isOver = true;
    await changing;
    await changer.end();
  }
}
