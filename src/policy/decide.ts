import { isGranted, type Grant } from './grant.ts';
import type { Reason } from './reasons.ts';
import type { Target } from './target.ts';

/**
 * Whether a role may reach a target. The whole of authorisation is here:
 *
 * | target        | admin | viewer   | custom role                   |
 * | ------------- | ----- | -------- | ----------------------------- |
 * | own account   | yes   | yes      | yes                           |
 * | admin-only    | yes   | no       | no                            |
 * | cameras       | yes   | to read  | to read if granted every one  |
 * | unresolved    | yes   | to read  | no                            |
 * | neutral       | yes   | to read  | to read                       |
 *
 * To read is GET or HEAD, or a method that the row of the target opens to readers.
 *
 * @param method as the client sent it; methods are case-sensitive (RFC 9110, 9.1)
 * @param changes whether the row opens its methods to whoever may read
 * @returns the reason to refuse, or undefined to allow
 */
export function decide(
  role: string,
  grant: Grant,
  method: string | undefined,
  target: Target,
  changes: boolean,
): Reason | undefined {
  if (role === 'admin' || target.kind === 'own-account' || target.kind === 'public') return undefined;
  if (target.kind === 'admin-only') return 'admin_only';
  if (grant !== 'all') {
    if (target.kind === 'unresolved' || target.kind === 'recorded') return 'target_unresolved';
    if (target.kind === 'cameras' && !target.cameras.every((camera) => isGranted(grant, camera))) {
      return 'camera_not_granted';
    }
  }
  // What cannot be tied to cameras is not known well enough to be changed.
  const mayChange = changes && target.kind !== 'unresolved';
  return mayChange || method === 'GET' || method === 'HEAD' ? undefined : 'read_only';
}
