import { availableParallelism } from 'node:os';
import { createDatabase, startPostgresCluster } from '../../test/support/postgres-cluster.ts';
import { authorizationRequest, withCookie } from './authorization-requests.ts';
import { saturateGate, startGate, type GateProcess } from './gate-process.ts';
import { count, median, memory, type Section } from './report.ts';
import { each, interleave, ratioText, type Pace } from './rounds.ts';
import { stoppedAtEnd } from './running.ts';
import { viewerToken } from './session-tokens.ts';

/** `/auth` answered by two processes of one gate against one. */
export async function measureWorkers(pace: Pace): Promise<Section> {
  const cluster = await startPostgresCluster();
  stoppedAtEnd(cluster.close);
  const two = { server: { workers: 2 } };
  const gates = {
    one: await startGate({}),
    two: await startGate(two),
    twoOnPostgres: await startGate(two, 'port', await createDatabase(cluster.address)),
  };
  const headers = authorizationRequest(withCookie(viewerToken()));
  const load = (gate: GateProcess) => () => saturateGate(gate, { headers, seconds: pace.seconds });
  const figures = await interleave(pace, {
    one: load(gates.one),
    two: load(gates.two),
    twoOnPostgres: load(gates.twoOnPostgres),
  });
  const row = (title: string, name: keyof typeof gates) => [
    title,
    count(median(each(figures[name], 'rate'))),
    ratioText(each(figures[name], 'rate'), each(figures.one, 'rate')),
    `${median(each(figures[name], 'processor')).toFixed(1)} µs`,
    memory(gates[name].residentMemory()),
  ];
  const rows = [
    row('one process', 'one'),
    row('two workers', 'two'),
    row('two workers, PostgreSQL', 'twoOnPostgres'),
  ];
  for (const gate of Object.values(gates)) await gate.close();
  return {
    title: 'Workers',
    how: `\`server.workers: 2\` against one process, asked by wrk with 32 connections and one session cookie, on ${availableParallelism()} cores, of which wrk takes its share. Processor time and memory are those of all processes of the gate.`,
    tables: [
      {
        head: [
          '',
          'answers/s',
          'against one',
          'processor time of the gate, each',
          'resident memory, after load',
        ],
        rows,
      },
    ],
  };
}
