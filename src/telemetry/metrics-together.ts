import { AggregatorRegistry, type Aggregator, type Registry } from 'prom-client';
import type { MetricsOfProcess } from './metrics.ts';

/** Of prom-client's own metrics, those of which a sum or nothing would be the wrong answer. */
const aggregators: ReadonlyArray<readonly [name: RegExp, aggregator: Aggregator]> = [
  // One process that hangs is not healed by others that do not.
  [/^nodejs_eventloop_lag/, 'max'],
  [/^process_start_time_seconds$/, 'min'],
];

/** @returns the metrics of several processes as those of one program, in the text format of Prometheus */
export function exposeTogether(processes: readonly MetricsOfProcess[]): Promise<string> {
  return together(processes).metrics();
}

/**
 * What processes that have ended counted still counts: else the sum would go back, and look like a restart.
 * @param former of those that had ended before
 * @returns with what the last of them had counted
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
