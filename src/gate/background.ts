import { withRoles } from '../accounts/roles/role-definitions.ts';
import { orphanedPersonalRoles } from '../accounts/users/personal-roles.ts';
import { describeUndefinedRole, undefinedRoles } from '../accounts/users/user-list.ts';
import { namesOfRoles, unverifiedRoles } from '../api/doctor/gate-checks.ts';
import { systemTimers, withTimeout } from '../clock.ts';
import type { Configuration } from '../config/configuration.ts';
import { createStateWatch } from '../features/alerts/state-watch.ts';
import { pruneOthers } from '../features/index.ts';
import { incompleteRoles } from '../policy/incomplete-roles.ts';
import type { Runtime } from './runtime.ts';
import type { Foundation } from './foundation.ts';
import type { Services } from './services.ts';

// Milliseconds.
const soon = 1_000;
const pruneInterval = 3_600_000;
const day = 24 * pruneInterval;
const minute = 60_000;

const roleInterval = 60_000;

/** Removes roles that were made for invitations and belong to no one anymore, and what config.yml still has of such roles. */
export function startRemovingRoles(
  { store, clockTrust, logger, closing }: Foundation,
  runtime: () => Pick<Runtime, 'removeMadeRole' | 'removeCopiedRoles'>,
): void {
  const underWay = new Set<Promise<void>>();
  closing.defer(async () => {
    await Promise.all(underWay);
  });
  const every = (interval: number, work: () => Promise<unknown>, message: string) => {
    const run = async () => {
      try {
        if (clockTrust.isTrusted()) await work();
      } catch (error) {
        logger.warn({ err: error }, message);
      }
    };
    const timer = setInterval(() => {
      const running = run().finally(() => underWay.delete(running));
      underWay.add(running);
    }, interval).unref();
    closing.defer(() => clearInterval(timer));
  };
  const removeOrphans = async () => {
    for (const role of await orphanedPersonalRoles(store)) await runtime().removeMadeRole(role);
  };
  every(roleInterval, removeOrphans, 'could not remove unused roles; trying again in a minute');
  every(
    pruneInterval,
    () => runtime().removeCopiedRoles(),
    'could not remove copied roles from config.yml; they do not count there, and Postern tries again in an hour',
  );
}

// Milliseconds. What `postern clock reset` does counts after that.
const timeInterval = 2_000;

/** Keeps the trusted time, and logs when the machine's clock falls behind it and catches up. */
export function startKeepingTime(
  { time: { clock, keep, save }, logger }: Pick<Foundation, 'time' | 'logger'>,
  closing: AsyncDisposableStack,
): void {
  const isoOf = (moment: number) => new Date(moment).toISOString();
  let wasBehind = false;
  let isFailing = false;
  let keptAt = Number.NEGATIVE_INFINITY;
  const notice = () => {
    const isBehind = clock.isBehind();
    if (isBehind && !wasBehind)
      logger.error(
        { event: 'clock_behind', clock: isoOf(clock.machine()), last: isoOf(clock.now()) },
        'the clock shows a time that has passed; access with a schedule is closed until it is set. If it is right, run postern clock reset',
      );
    if (!isBehind && wasBehind)
      logger.info({ event: 'clock_right' }, 'the clock is right again; access follows its schedules');
    wasBehind = isBehind;
  };
  const look = async () => {
    notice();
    const at = systemTimers.elapsed();
    // While it is behind, an operator may put it right at any moment.
    if (!wasBehind && at - keptAt < minute) return;
    keptAt = at;
    try {
      await keep();
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        logger.warn(
          { err: error },
          'could not save the time; after a power cut, access that has ended since may be open again',
        );
      isFailing = true;
    }
    notice();
  };
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= look().finally(() => (running = undefined));
  };
  run();
  const keeping = setInterval(run, timeInterval).unref();
  closing.defer(async () => {
    clearInterval(keeping);
    await running;
    // A store that does not answer holds up no stop.
    await withTimeout(save(), timeInterval).catch(() => undefined);
  });
}

/** Removes expired records soon after the start, and every hour: nothing waits for it. */
export function startPruning(services: Services, closing: AsyncDisposableStack): void {
  const { alerts, audit, clock, clockTrust, current, logger } = services.foundation;
  const { users, stops, windows } = services.accounts;
  const { revocations, sessionRegistry, pruneSignOn } = services.sessions;
  const { viewing } = services.watching;
  const stop = new AbortController();
  const { signal } = stop;
  const pruneViewing = () => {
    const { keepDays } = current.configuration().audit;
    return viewing.prune(clock.now() - keepDays * day, {
      // Without a time to keep them, no clock can be wrong.
      mayDelete: (over, all) => keepDays === 0 || clockTrust.mayDelete('records of who watched', over, all),
      signal,
    });
  };
  const pruneAudit = () =>
    audit.prune({ mayDelete: (over, all) => clockTrust.mayDelete('audit records', over, all), signal });
  const prune = async () => {
    await windows.prune();
    if (!(await clockTrust.check())) return;
    const parts = [
      revocations.prune,
      () => sessionRegistry.prune(users.find),
      ...services.features.map(({ prune: pruneFeature }) => pruneFeature),
      () => pruneOthers(current.configuration().features, services),
      stops.prune,
      alerts.prune,
      pruneSignOn,
      pruneViewing,
      pruneAudit,
    ];
    for (const part of parts) if (!signal.aborted) await part().catch(failed);
  };
  const failed = (error: unknown) => logger.warn({ err: error }, 'nothing was pruned');
  let running: Promise<unknown> | undefined;
  const run = () => {
    running ??= prune()
      .catch(failed)
      .finally(() => (running = undefined));
  };
  const first = setTimeout(run, soon).unref();
  const pruning = setInterval(run, pruneInterval).unref();
  // Wait for a run under way: the databases are closed after that.
  closing.defer(async () => {
    stop.abort();
    clearTimeout(first);
    clearInterval(pruning);
    await running;
  });
}

// Milliseconds.
const interval = 10_000;

/** Alerts to a recorder that is away, a certificate that expires, and roles that stay unverified. */
export function startWatchingState(
  { foundation: { alerts, clock }, accounts: { users }, about }: Services,
  runtime: () => Pick<Runtime, 'settings' | 'certificateEnds'>,
  closing: AsyncDisposableStack,
): void {
  const look = createStateWatch(alerts, clock, (roles) => namesOfRoles(roles, users));
  const lookAgain = () => {
    const { settings, certificateEnds } = runtime();
    return look({
      recorderFault: about.recorder()?.fault,
      certificateEnds: certificateEnds(),
      unverifiedRoles: unverifiedRoles(settings),
    });
  };
  const watching = setInterval(() => void lookAgain(), interval).unref();
  closing.defer(() => clearInterval(watching));
}

/** Logs which users count as viewers because the configuration does not define their role, and which get less by what it lacks. */
export async function warnOfUndefinedRoles(
  { accounts: { users }, foundation: { roleReading, logger } }: Services,
  declared: Configuration,
): Promise<void> {
  if (!declared.auth.enabled) return;
  const { auth } = withRoles(declared, roleReading.known());
  // A store that does not answer is reported elsewhere, and stops neither a start nor a reload.
  const others = await users.listOthers(auth.roles.keys()).catch(() => []);
  for (const found of undefinedRoles(others, auth.roles))
    logger.warn({ event: 'role_undefined', ...found }, describeUndefinedRole(found));
  for (const { role, unknown } of incompleteRoles(auth.defined, auth.roles))
    logger.warn(
      { event: 'access_incomplete', role, unknown },
      `the role ${role} names ${unknown.join(', ')}, which config.yml does not have, and gives nothing by it`,
    );
}
