import { isGranted, type Grant } from './grant.ts';
import type { Reason } from './reasons.ts';
import type { Target } from './target.ts';

/**
 * Whether a role may reach a target. The whole of authorisation is here:
 *
 * | target        | admin | viewer   | custom role                    |
 * | ------------- | ----- | -------- | ------------------------------ |
 * | own account   | yes   | yes      | yes                            |
 * | admin-only    | yes   | no       | no                             |
 * | cameras       | yes   | GET/HEAD | GET/HEAD if granted every one  |
 * | unresolved    | yes   | GET/HEAD | no                             |
 * | neutral       | yes   | GET/HEAD | GET/HEAD                       |
 *
 * @param method as the client sent it; methods are case-sensitive (RFC 9110, 9.1)
 * @returns the reason to refuse, or undefined to allow
 */
export function decide(
  role: string,
  grant: Grant,
  method: string | undefined,
  target: Target,
): Reason | undefined {
  if (role === 'admin' || target.kind === 'own-account' || target.kind === 'public') return undefined;
  if (target.kind === 'admin-only') return 'admin_only';
  if (grant !== 'all') {
    if (target.kind === 'unresolved') return 'target_unresolved';
    if (target.kind === 'cameras' && !target.cameras.every((camera) => isGranted(grant, camera))) {
      return 'camera_not_granted';
    }
  }
  return method === 'GET' || method === 'HEAD' ? undefined : 'read_only';
}
