import { AggregatorRegistry, type Aggregator } from 'prom-client';
import type { MetricsOfProcess } from './metrics.ts';

/** Of prom-client's own metrics, those of which a sum or nothing would be the wrong answer. */
const aggregators: ReadonlyArray<readonly [name: RegExp, aggregator: Aggregator]> = [
  // One process that hangs is not healed by others that do not.
  [/^nodejs_eventloop_lag/, 'max'],
  [/^process_start_time_seconds$/, 'min'],
];

/** @returns the metrics of several processes as those of one program, in the text format of Prometheus */
export function exposeTogether(processes: readonly MetricsOfProcess[]): Promise<string> {
  const metrics = processes.map((process) =>
    process.map((metric) => {
      const aggregator = aggregators.find(([name]) => name.test(metric.name))?.[1];
      return aggregator === undefined ? metric : { ...metric, aggregator };
    }),
  );
  return AggregatorRegistry.aggregate(metrics).metrics();
}

/** @returns what stays of a process that has ended: what it counted. Else the sum would go back, as after a restart. */
export function countedBy(process: MetricsOfProcess): MetricsOfProcess {
  return process.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}
