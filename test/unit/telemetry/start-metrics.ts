import { createMetrics, type MetricsOptions } from '../../../src/telemetry/metrics.ts';
import { createTallies } from '../../../src/telemetry/tallies.ts';

/** Metrics of a program that has just started, but for what the test changes. */
export function startMetrics(changes: Partial<MetricsOptions> = {}) {
  const tallies = createTallies();
  const metrics = createMetrics({
    tallies,
    version: '1.2.3',
    configuration: () => ({
      hash: 'abc',
      successful: true,
      lastSuccess: 1_800_000_000_000,
      reloads: { success: 0, failure: 0 },
    }),
    readiness: async () => ({ checks: { accounts: 'ok', events: 'failed' } }),
    droppedLogLines: () => 3,
    recorderRoles: () => ({ verified: 2, unverified: 1 }),
    recorderKnowledge: () => ({ heardAt: 1_800_000_000_000, fault: undefined }),
    openStreams: () => ({ websocket: 2, answer: 1 }),
    countSessions: async () => 7,
    ...changes,
  });
  return { tallies, ...metrics };
}

/** @returns values by name and labels, such as `postern_logins_total{result="success"}` */
export function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

/** @returns names of metrics with their types, as the text declares them */
export function declaredIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
}
