import { withRoles } from '../accounts/roles/role-definitions.ts';
import type { ReloadRecord } from '../config/reload-report.ts';
import type { OpenStreams } from '../access/streams/open-streams.ts';
import type { Reason } from '../policy/reasons.ts';
import type { Front } from '../policy/request-context.ts';
import type { Decision } from '../policy/decision.ts';
import { countRoles } from '../recorder/list-filter.ts';
import { sessionCounter } from '../accounts/sessions/active-sessions.ts';
import { requireReadable } from '../store/store.ts';
import type { LogQueue } from '../telemetry/logger.ts';
import { createMonitoring, type Monitoring } from '../telemetry/monitoring-answers.ts';
import { createReadiness, type Readiness } from '../telemetry/readiness.ts';
import { version } from '../version.ts';
import type { Foundation } from './foundation.ts';
import type { RecorderServices } from './recorder-services.ts';

/** Counters that should stay at 0; docs/monitoring/alerts.yml has an alert for the first. */
const alarming: ReadonlyArray<
  readonly [outcome: Decision['outcome'], reason: Reason, ...fronts: ReadonlyArray<Front | undefined>]
> = [
  ['forbidden', 'failure', 'embedded', 'relay', 'auth-request', 'forward-auth', 'ext-authz', undefined],
  ['forbidden', 'front_unproven', undefined],
];

/** For a gate that will stop: a load balancer sends requests elsewhere. */
const leaving: Readiness = { status: 'unready', checks: { running: 'failed' } };

/** Metrics and readiness of one running program. */
export function monitor(
  foundation: Foundation,
  { recorderConfiguration, roleVerification }: RecorderServices,
  { streams, log }: { readonly streams: OpenStreams; readonly log: Pick<LogQueue, 'dropped'> },
): {
  /** Answers `/metrics` and `/readyz`. */
  readonly answer: Monitoring;
  /** Not ready from now on: the gate will stop. */
  leave(): void;
} {
  const { store, requireWritable, activity, database, reloads, logger, clock, tallies } = foundation;
  const { current, roleReading } = foundation;
  let isLeaving = false;
  const unlessLeaving = (look: () => Promise<Readiness>) => async () => (isLeaving ? leaving : look());
  for (const [outcome, reason, ...fronts] of alarming)
    for (const front of fronts) tallies.decisions.expectNone(front, outcome, reason);
  const readiness = unlessLeaving(
    createReadiness(
      [
        { name: 'accounts', isRequired: true, look: () => requireReadable(store) },
        { name: 'events', isRequired: true, look: () => database.camerasOfEvents(['']) },
        // Decisions and logins continue: elsewhere they would be the same, or not possible at all.
        { name: 'store', isRequired: false, look: requireWritable },
        // No decision depends on the activity database.
        { name: 'activity', isRequired: false, look: () => requireReadable(activity) },
        // The previous configuration stays in use, and no other instance would accept the new one either.
        { name: 'configuration', isRequired: false, look: () => requireLastReload(reloads) },
      ],
      (check, finding, cause) => {
        if (finding === 'ok') logger.info({ check }, 'a check of /readyz succeeds again');
        else logger.error({ check, err: cause }, 'a check of /readyz fails');
      },
    ),
  );
  // Most homes read none, and Node's own figures take a timer of 10 ms.
  const startMetrics = async () => {
    const { createMetrics } = await import('../telemetry/metrics.ts');
    return createMetrics({
      tallies,
      version,
      configuration: reloads.read,
      readiness,
      droppedLogLines: log.dropped,
      recorderRoles: () =>
        countRoles(withRoles(current.configuration(), roleReading.known()), roleVerification),
      recorderKnowledge: recorderConfiguration.knowledge,
      openStreams: streams.count,
      countSessions: sessionCounter(activity, clock),
    });
  };
  return { answer: createMonitoring(readiness, startMetrics), leave: () => void (isLeaving = true) };
}

function requireLastReload({ read }: ReloadRecord): void {
  if (!read().successful) throw new Error('the last reload changed nothing');
}
