import { isGranted, type Grant } from '../grant.ts';
import type { Reason } from '../reasons.ts';
import type { Resource } from '../resource.ts';
import { isUnfilteredList } from './narrow.ts';
import type { AccessRule } from '../access-rule.ts';

interface RoleAsks {
  readonly role: string;
  readonly grant: Grant;
  /** As the client sent it: methods are case-sensitive (RFC 9110, 9.1). */
  readonly method: string | undefined;
  readonly resource: Resource;
  /** Whether the rule opens its methods to everyone who may read. */
  readonly changes: boolean;
  /** Whether the decision is made again with the names in the body, or does not need them. */
  readonly isBodyToCome: boolean;
}

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
 * @returns the reason to refuse, or undefined to allow
 */
export function refuseByRole({
  role,
  grant,
  method,
  resource,
  changes,
  isBodyToCome,
}: RoleAsks): Reason | undefined {
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

/**
 * Whether a token that is limited to cameras may reach a resource. The upstream only gets the role, which sees more, so such a token
 * may only reach what belongs to cameras that the request names.
 * @param resource of granted cameras only
 * @returns the reason to refuse, or undefined
 */
export function refuseUnnamedCameras(
  rule: AccessRule,
  resource: Resource,
  method: string | undefined,
  query: string,
): Reason | undefined {
  if (resource.kind === 'own-account') return undefined;
  const reads = method === 'GET' || method === 'HEAD';
  if (!reads && rule.bodyless !== true) return 'read_only';
  if (resource.kind === 'neutral') return rule.namesNoCamera === true ? undefined : 'cameras_unnamed';
  return isUnfilteredList(rule, query) ? 'cameras_unnamed' : undefined;
}
