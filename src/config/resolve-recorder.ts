import type { Configuration } from './configuration.ts';
import { expandSecret } from './expand-secret.ts';
import { isLoopback } from './listen.ts';
import type { Findings } from './problem.ts';
import type { ConfigurationFile } from './schema.ts';

type Resolved = Pick<Configuration, 'upstream' | 'frontsReachEvents' | 'recorder'>;

/** What stands behind the gate, and how it is asked. */
export function resolveRecorder(
  { upstream: written, recorder }: ConfigurationFile,
  listen: Configuration['listen'],
  hasCustomRoles: boolean,
  context: { readonly environment: Readonly<Record<string, string | undefined>> },
  findings: Findings,
): Resolved {
  const frontsReachEvents = written !== undefined && isEventsApp(written, listen.events);
  const upstream = written === undefined || frontsReachEvents ? undefined : originOf(written);
  if (hasCustomRoles && written === undefined && listen.forwardAuthAuthenticated !== undefined)
    findings.warn(
      'fronts ask on networking.forward_auth.authenticated, and upstream is not set: custom roles get no list through them that does not name its cameras (recorder_role_unverified); set upstream to what the fronts pass requests on to',
    );
  for (const key of ['auth_secret', 'certificate'] as const) {
    if (recorder[key] !== undefined && upstream === undefined)
      findings.warn(`recorder.${key} means nothing without a recorder at upstream`);
  }
  if (recorder.certificate !== undefined && upstream?.startsWith('https:') === false)
    findings.warn('recorder.certificate means nothing: upstream does not begin with https');
  return {
    upstream,
    frontsReachEvents,
    recorder: {
      authSecret:
        recorder.auth_secret === undefined
          ? undefined
          : expandSecret('recorder.auth_secret', recorder.auth_secret, context, findings),
      certificate: recorder.certificate,
      checkInterval: recorder.check_interval * 1_000,
    },
  };
}

function originOf(upstream: string): string {
  return upstream.startsWith('unix:') ? upstream : new URL(upstream).origin;
}

/** The events app listens on a Unix socket or on loopback, which has several names. */
function isEventsApp(upstream: string, events: Configuration['listen']['events']): boolean {
  if (events === undefined) return false;
  if ('path' in events) return upstream === `unix:${events.path}`;
  if (upstream.startsWith('unix:')) return false;
  const { protocol, hostname, port } = new URL(upstream);
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    protocol === 'http:' &&
    Number(port === '' ? 80 : port) === events.port &&
    isLoopback({ host, port: events.port })
  );
}
