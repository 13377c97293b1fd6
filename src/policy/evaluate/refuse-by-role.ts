import { isGranted, type Grant } from '../grant.ts';
import type { Reason } from '../reasons.ts';
import type { Resource } from '../resource.ts';

/**
 * Whether a role may reach a resource. The whole of authorization is here:
 *
 * | resource      | admin | viewer   | custom role                   |
 * | ------------- | ----- | -------- | ----------------------------- |
 * | own account   | yes   | yes      | yes                           |
 * | admin-only    | yes   | no       | no                            |
 * | cameras       | yes   | to read  | to read if granted every one  |
 * | every camera  | yes   | to read  | no                            |
 * | in the body   | yes   | once it is read (*) | what it names, once it is read |
 * | unresolved    | yes   | to read  | no                            |
 * | neutral       | yes   | to read  | to read                       |
 *
 * (*) If nothing can read it, the recorder may have its own rules: see `isGuarded` in `decide.ts`.
 *
 * Reading is GET or HEAD, or a method that the resource's rule opens to readers.
 *
 * @param method as the client sent it; methods are case-sensitive (RFC 9110, 9.1)
 * @param changes whether the rule opens its methods to everyone who may read
 * @param isBodyToCome whether the decision is made again with the names in the body, or does not need them
 * @returns the reason to refuse, or undefined to allow
 */
export function refuseByRole(
  role: string,
  grant: Grant,
  method: string | undefined,
  resource: Resource,
  changes: boolean,
  isBodyToCome = false,
): Reason | undefined {
  if (role === 'admin' || resource.kind === 'own-account' || resource.kind === 'public') return undefined;
  if (resource.kind === 'admin-only') return 'admin_only';
  if (grant !== 'all') {
    if (resource.kind === 'unresolved' || resource.kind === 'recorded') return 'target_unresolved';
    if (resource.kind === 'every-camera') return 'camera_not_granted';
    const isOfCameras = resource.kind === 'cameras';
    if (isOfCameras && !resource.cameras.every((camera) => isGranted(grant, camera)))
      return 'camera_not_granted';
  }
  const isInBody =
    resource.kind === 'in-body' || (resource.kind === 'cameras' && resource.names !== undefined);
  if (isInBody && !isBodyToCome) return 'body_unread';
  // A resource that cannot be tied to cameras is not known well enough to be changed.
  const mayChange = changes && resource.kind !== 'unresolved';
  return mayChange || method === 'GET' || method === 'HEAD' ? undefined : 'read_only';
}
