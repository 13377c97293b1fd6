import type { Configuration } from './configuration.ts';
import { expandSecret } from './environment.ts';
import { ownUpstream } from './own-upstream.ts';
import { isLoopback } from './listen.ts';
import type { Findings } from './problem.ts';
import type { CamerasByRole } from '../policy/grant.ts';
import { obstacleTo } from '../policy/names.ts';
import type { ConfigurationFile } from './schema.ts';

/** The consequence when the recorder treats everyone as admin on that port. */
export const everyoneIsAdmin =
  'the recorder treats everyone as admin on the port that upstream names, so Postern is the only guard, and no custom role is verified. Name the port where the recorder believes the identity headers (8971)';

/** Whether an address has the port on which recorders usually treat everyone as admin. */
export function namesOpenPort(upstream: string | undefined): boolean {
  return upstream?.endsWith(':5000') === true;
}

type Resolved = Pick<Configuration, 'upstream' | 'frontsReachEvents' | 'recorder'>;

/** Resolves `upstream` and the section `recorder`. */
export function resolveRecorder(
  { upstream: written, recorder }: ConfigurationFile,
  { listen, customRoles }: { readonly listen: Configuration['listen']; readonly customRoles: CamerasByRole },
  context: { readonly environment: Readonly<Record<string, string | undefined>> },
  findings: Findings,
): Resolved {
  const frontsReachEvents = written !== undefined && isEventsApp(written, listen.events);
  const upstream = written === undefined || frontsReachEvents ? undefined : originOf(written);
  const own = ownUpstream(upstream, listen);
  if (own !== undefined) findings.refuse(own.path, own.found, own.allowed);
  const hasCustomRoles = customRoles.size > 0;
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
  if (recorder.manage_roles && upstream === undefined)
    findings.refuse(
      'recorder.manage_roles',
      'true, without a recorder at upstream',
      'false; or set upstream to the port where the recorder believes the identity headers',
    );
  if (namesOpenPort(upstream)) findings.warn(`upstream names port 5000: ${everyoneIsAdmin}`);
  if (recorder.manage_roles) warnOfUnwritable(customRoles, findings);
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
      manageRoles: recorder.manage_roles,
    },
  };
}

function warnOfUnwritable(customRoles: CamerasByRole, { warn }: Findings): void {
  for (const [role, cameras] of customRoles) {
    const obstacle = obstacleTo(role, cameras);
    if (obstacle !== undefined)
      warn(
        `auth.roles.${role}: ${unwritable[obstacle]}; the role is not written there, and gets no list but those that name their cameras (${obstacle})`,
      );
    else if (role !== role.toLowerCase())
      warn(
        `auth.roles.${role}: a recorder finds a role only by its name in lower case, so it never finds this one`,
      );
  }
}

const unwritable = {
  role_name_refused:
    'a recorder takes no name but of letters, digits and underscores, with one letter at least',
  role_without_cameras: 'no cameras would mean all of them to a recorder',
} as const;

/** @returns an address in the form that is compared and requested */
export function originOf(upstream: string): string {
  return upstream.startsWith('unix:') ? upstream : new URL(upstream).origin;
}

/** The events app listens on a Unix socket, or on loopback, which has several names. */
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
