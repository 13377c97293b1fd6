import { passesOnItself, type Front } from '../policy/request-context.ts';
import type { Configuration } from '../config/configuration.ts';
import type { RecorderRole } from './recorder-role.ts';
import type { RoleVerification } from './role-verification.ts';

/** Whether what stands behind the gate keeps its lists to the cameras of a custom role. */
export interface ListFilter {
  readonly listsAreFiltered: (role: string, front: Front | undefined) => boolean;
  /** The same of all fronts that are in use, and why not. */
  readonly roleAtRecorder: (role: string) => RecorderRole;
}

/**
 * A recorder is asked. The embedded events app filters by the grant itself, and the gate passes on to it when there is no
 * recorder; where another front passes on to, the gate knows only when `upstream` says it.
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

/** @returns how many custom roles are verified, and how many are not */
export function countRoles(
  configuration: Configuration,
  verification: RoleVerification,
): Readonly<Record<RecorderRole['state'], number>> {
  const { roleAtRecorder } = listFilter(configuration, verification);
  const count = { verified: 0, unverified: 0 };
  for (const role of configuration.auth.roles.keys()) count[roleAtRecorder(role).state] += 1;
  return count;
}
