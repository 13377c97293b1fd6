import { AggregatorRegistry, type Aggregator, type Registry } from 'prom-client';
import type { MetricsOfProcess } from './metrics.ts';

/** Metrics of prom-client for which a sum or an omission would be wrong. */
const aggregators: ReadonlyArray<readonly [name: RegExp, aggregator: Aggregator]> = [
  // One process that hangs must show, even when the others do not.
  [/^nodejs_eventloop_lag/, 'max'],
  [/^process_start_time_seconds$/, 'min'],
];

/** @returns the metrics of several processes combined, in the text format of Prometheus */
export function exposeTogether(processes: readonly MetricsOfProcess[]): Promise<string> {
  return together(processes).metrics();
}

/**
 * Keeps the counts of processes that have ended: otherwise the sum would go back, and look like a restart.
 * @param former counts of processes that had ended before
 * @returns with the counts of the last one added
 */
export function withCounted(former: MetricsOfProcess, last: MetricsOfProcess): Promise<MetricsOfProcess> {
  const counted = last.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
  return together([former, counted]).getMetricsAsJSON();
}

function together(processes: readonly MetricsOfProcess[]): Registry {
  const metrics = processes.map((process) =>
    process.map((metric) => {
      const aggregator = aggregators.find(([name]) => name.test(metric.name))?.[1];
      return aggregator === undefined ? metric : { ...metric, aggregator };
    }),
  );
  return AggregatorRegistry.aggregate(metrics);
}
