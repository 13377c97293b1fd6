import { isUnfilteredList } from './lists.ts';
import type { Reason } from '../reasons.ts';
import type { AccessRule } from '../access-rule.ts';
import type { Resource } from '../resource.ts';

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
