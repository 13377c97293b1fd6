import { availableParallelism } from 'node:os';
import { createDatabase, startPostgresCluster } from '../../test/support/postgres-cluster.ts';
import { authorizationRequest, withCookie } from './authorization-requests.ts';
import { startGate, type GateProcess } from './gate-process.ts';
import { count, median, memory, type Section } from './report.ts';
import { interleave, ratioText, type Pace } from './rounds.ts';
import { stoppedAtEnd } from './running.ts';
import { viewerToken } from './session-tokens.ts';
import { saturate } from './wrk.ts';

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
  const used: Record<keyof typeof gates, { requests: number; processor: number }> = {
    one: { requests: 0, processor: 0 },
    two: { requests: 0, processor: 0 },
    twoOnPostgres: { requests: 0, processor: 0 },
  };
  const load = (name: keyof typeof gates) => async () => {
    const gate: GateProcess = gates[name];
    const before = gate.processorTime();
    const { rate, requests } = await saturate({
      address: gate.address,
      path: '/auth',
      headers,
      seconds: pace.seconds,
    });
    used[name].requests += requests;
    used[name].processor += gate.processorTime() - before;
    return rate;
  };
  const figures = await interleave(pace, {
    one: load('one'),
    two: load('two'),
    twoOnPostgres: load('twoOnPostgres'),
  });
  const row = (title: string, name: keyof typeof gates) => [
    title,
    count(median(figures[name])),
    ratioText(figures[name], figures.one),
    `${((used[name].processor / used[name].requests) * 1e6).toFixed(1)} µs`,
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
    how: `\`server.workers: 2\` against one process, asked by wrk with 32 connections and one session cookie. This machine has ${availableParallelism()} cores, and wrk takes its share of them: with two, what the second worker could do is what wrk takes. Processor time and memory are those of all processes of the gate together.`,
    tables: [
      {
        head: [
          '',
          'answers/s',
          'against one (least – greatest)',
          'processor time of the gate, each',
          'resident memory, after load',
        ],
        rows,
      },
    ],
  };
}
