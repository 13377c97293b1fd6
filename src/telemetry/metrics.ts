import { collectDefaultMetrics, Counter, Gauge, Registry, type Histogram } from 'prom-client';
import { entriesOf, type Tallies } from './tallies.ts';
import { durationBounds, type DecisionTally } from './decision-tally.ts';
import type { Readiness } from './readiness.ts';

export interface Metrics {
  readonly contentType: string;
  /** @returns all metrics, in the text format of Prometheus */
  expose(): Promise<string>;
}

export interface MetricsOptions {
  readonly tallies: Tallies;
  readonly version: string;
  readonly configuration: () => {
    readonly hash: string;
    readonly successful: boolean;
    /** Milliseconds since the epoch. */
    readonly lastSuccess: number;
    readonly reloads: { readonly success: number; readonly failure: number };
  };
  readonly readiness: () => Promise<Pick<Readiness, 'checks'>>;
  /** Since the start. */
  readonly droppedLogLines: () => number;
  /** Custom roles by whether the recorder verifiably limits them to their cameras. */
  readonly recorderRoles: () => Labelled;
  /** The recorder's cameras as last read, or `undefined` if there is no recorder to ask. */
  readonly recorderKnowledge: () =>
    | {
        /** Milliseconds since the epoch. */
        readonly heardAt: number | undefined;
        readonly fault: string | undefined;
      }
    | undefined;
  /** Streams that are open now, by kind. */
  readonly openStreams: () => Labelled;
  /** The number of sessions whose last token has not expired. */
  readonly countSessions: () => Promise<number>;
}

/** Metrics in a registry of their own, gathered when they are scraped. */
export function createMetrics(options: MetricsOptions): Metrics {
  const { tallies, version, configuration, readiness, droppedLogLines, countSessions } = options;
  const { recorderRoles, recorderKnowledge, openStreams } = options;
  const registry = new Registry();
  registerDecisions(registry, tallies.decisions);
  const { counter, gauge } = registrars(registry);

  counter('postern_logins_total', 'Attempts to log in, by how they ended.', 'result', () => tallies.logins);
  counter('postern_limited_total', 'What a limit turned away, by limit.', 'limit', () => tallies.limited);

  counter(
    'postern_log_lines_dropped_total',
    'Lines of the log that could not be written.',
    undefined,
    droppedLogLines,
  );

  const ofCaches = (of: (tally: Tallies['caches']['sessions']) => number) => () =>
    Object.fromEntries(Object.entries(tallies.caches).map(([cache, tally]) => [cache, of(tally)]));
  const hits = ofCaches((tally) => tally.hits);
  const misses = ofCaches((tally) => tally.misses);
  counter('postern_cache_hits_total', 'Look-ups in a cache that found something.', 'cache', hits);
  counter('postern_cache_misses_total', 'Look-ups in a cache that found nothing.', 'cache', misses);
  gauge('postern_cache_entries', 'Entries of a cache.', 'cache', ofCaches(entriesOf));

  counter(
    'postern_config_reloads_total',
    'Attempts to read the configuration again, by how they ended.',
    'result',
    () => configuration().reloads,
  );
  gauge(
    'postern_config_last_reload_successful',
    '1 when the last attempt to read the configuration was good, 0 when it changed nothing.',
    undefined,
    () => (configuration().successful ? 1 : 0),
  );
  gauge(
    'postern_config_last_reload_success_timestamp_seconds',
    'When an attempt to read the configuration was good last.',
    undefined,
    () => configuration().lastSuccess / 1_000,
  );
  gauge(
    'postern_config_info',
    'Always 1; the label is the hash of the current configuration.',
    'hash',
    () => ({ [configuration().hash]: 1 }),
  );
  gauge(
    'postern_check_successful',
    '1 when a check of /readyz succeeds, 0 when it fails.',
    'check',
    async () => {
      const { checks } = await readiness();
      return Object.fromEntries(
        Object.entries(checks).map(([check, found]) => [check, found === 'ok' ? 1 : 0]),
      );
    },
  );
  gauge(
    'postern_recorder_roles',
    'Custom roles, by whether it is verified that the recorder shows them nothing but their cameras.',
    'state',
    recorderRoles,
  );
  counter(
    'postern_recorder_role_changes_total',
    'Changes of custom roles that were sent to the recorder, by what came of them.',
    'result',
    () => tallies.recorderRoleChanges,
  );
  gauge(
    'postern_recorder_configuration_successful',
    "1 when the last attempt to read the recorder's cameras and live streams was good, or there is no recorder to ask; 0 otherwise.",
    undefined,
    () => {
      const known = recorderKnowledge();
      return known === undefined || (known.heardAt !== undefined && known.fault === undefined) ? 1 : 0;
    },
  );
  gauge(
    'postern_recorder_configuration_timestamp_seconds',
    "When the recorder's cameras and live streams were read last; 0: never.",
    undefined,
    () => (recorderKnowledge()?.heardAt ?? 0) / 1_000,
  );
  gauge(
    'postern_open_streams',
    'WebSockets and answers that are being passed on, by kind.',
    'kind',
    openStreams,
  );
  counter(
    'postern_streams_cut_total',
    'WebSockets and answers that were cut because they were no longer permitted, by reason.',
    'reason',
    () => tallies.streamsCut,
  );
  counter(
    'postern_viewing_dropped_total',
    'Stretches of someone watching that were not recorded; only with `audit.viewing`.',
    undefined,
    () => tallies.viewingDropped,
  );
  gauge(
    'postern_sessions',
    'Sessions that were seen and whose last token has not expired.',
    undefined,
    // When the database is down, the other metrics still count.
    () => countSessions().catch(() => Number.NaN),
  );
  gauge('postern_build_info', 'Always 1; the label is the version of the program.', 'version', () => ({
    [version]: 1,
  }));
  collectDefaultMetrics({ register: registry });
  return {
    contentType: registry.contentType,
    expose: () => registry.metrics(),
  };
}

/** Values by the label's value. */
type Labelled = Readonly<Record<string, number>>;

function registrars(registry: Registry) {
  const registers = [registry];
  return {
    counter: (name: string, help: string, label: string | undefined, read: () => Labelled | number) =>
      new Counter({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers,
        collect() {
          const found = read();
          this.reset();
          if (typeof found === 'number') this.inc(found);
          else
            for (const [word, count] of Object.entries(found)) this.inc({ [label as string]: word }, count);
        },
      }),
    gauge: (
      name: string,
      help: string,
      label: string | undefined,
      read: () => Labelled | number | Promise<Labelled | number>,
    ) =>
      new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers,
        async collect() {
          const found = await read();
          this.reset();
          if (typeof found === 'number') this.set(found);
          else
            for (const [word, value] of Object.entries(found)) this.set({ [label as string]: word }, value);
        },
      }),
  };
}

function registerDecisions(registry: Registry, tally: DecisionTally): void {
  const decisions = new Counter({
    name: 'postern_decisions_total',
    help: 'Decisions, by verdict, reason and front.',
    labelNames: ['verdict', 'reason', 'front'],
    registers: [],
    collect() {
      this.reset();
      for (const { front, verdict, reason, count } of tally.counted())
        this.inc({ verdict, reason, front }, count);
    },
  });
  registry.registerMetric(decisions);
  const name = 'postern_decision_duration_seconds';
  const get = async () => ({
    name,
    help: 'Time from the authorization request to the decision, without the way of either over the wire.',
    type: 'histogram',
    aggregator: 'sum',
    values: [...tally.measured()].flatMap(({ front, counts, seconds }) => {
      let total = 0;
      const sample = (suffix: string, value: number, le?: number | string) => ({
        metricName: `${name}_${suffix}`,
        labels: le === undefined ? { front } : { front, le },
        value,
      });
      const buckets = [...counts].map((count, place) => {
        total += count;
        return sample('bucket', total, durationBounds[place] ?? '+Inf');
      });
      return buckets.concat(sample('sum', seconds), sample('count', total));
    }),
  });
  // A registry uses only the metric's name and these values; prom-client's own histogram would hash the labels of every
  // decision.
  registry.registerMetric({ name, get } as unknown as Histogram);
}
