import { gateChecks } from '../api/doctor/gate-checks.ts';
import { createStateWatch } from '../features/alerts/state-watch.ts';
import type { Runtime } from './runtime.ts';
import type { Services } from './services.ts';

// Milliseconds.
const interval = 10_000;

/** Alerts to a recorder that is away, a certificate that expires, and roles that stay unverified. */
export function startWatchingState(
  { alerts, about, clock }: Services,
  runtime: () => Pick<Runtime, 'settings' | 'certificateEnds'>,
  closing: AsyncDisposableStack,
): void {
  const look = createStateWatch(alerts, clock);
  const watching = setInterval(() => {
    const { settings, certificateEnds } = runtime();
    const roles = gateChecks.roles({ settings });
    look({
      recorderFault: about.recorder()?.fault,
      certificateEnds: certificateEnds(),
      unverifiedRoles: roles.result === 'fault' ? (roles.seen ?? []) : [],
    });
  }, interval).unref();
  closing.defer(() => clearInterval(watching));
}
