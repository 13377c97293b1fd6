import { passesOnItself, type Front } from '../policy/request-context.ts';
import type { Configuration } from '../config/configuration.ts';
import { camerasByRole } from '../policy/role-access.ts';
import type { RecorderRole } from './role-answers.ts';
import type { RoleVerification } from './role-verification.ts';

/** Whether the service behind the gate limits its lists to the cameras of a custom role. */
export interface ListFilter {
  readonly listsAreFiltered: (role: string, front: Front | undefined) => boolean;
  /** The same for all fronts in use, with the reason. */
  readonly roleAtRecorder: (role: string) => RecorderRole;
}

/**
 * Whether lists are filtered depends on where requests go. A recorder is asked. The embedded events app, which gets the
 * requests when there is no recorder, filters by the grant itself. Where another front passes requests on, only `upstream`
 * shows.
 */
export function listFilter(
  { upstream, frontsReachEvents, listen }: Pick<Configuration, 'upstream' | 'frontsReachEvents' | 'listen'>,
  verification: Pick<RoleVerification, 'isVerified' | 'roleAtRecorder'>,
): ListFilter {
  if (upstream !== undefined)
    return { listsAreFiltered: verification.isVerified, roleAtRecorder: verification.roleAtRecorder };
  const usual: Front | undefined = listen.authenticated === undefined ? undefined : 'embedded';
  const isKnown = frontsReachEvents || listen.forwardAuthAuthenticated === undefined;
  return {
    listsAreFiltered: (_, front = usual) => frontsReachEvents || passesOnItself(front),
    roleAtRecorder: () =>
      isKnown ? { state: 'verified' } : { state: 'unverified', reason: 'upstream_unset' },
  };
}

/** @returns how many custom roles are in each state */
export function countRoles(
  configuration: Configuration,
  verification: RoleVerification,
): Readonly<Record<RecorderRole['state'], number>> {
  const { roleAtRecorder } = listFilter(configuration, verification);
  const count = { verified: 0, unverified: 0 };
  for (const role of camerasByRole(configuration.auth.roles).keys()) count[roleAtRecorder(role).state] += 1;
  return count;
}
