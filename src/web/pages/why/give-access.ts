import { isNamelessRole } from '../../../policy/names.ts';

/** Where an admin can give the missing access; the link itself gives nothing. */
export type AccessPlace =
  | { readonly kind: 'role'; readonly role: string; readonly cameras: readonly string[] }
  | { readonly kind: 'may'; readonly role: string }
  | { readonly kind: 'schedule'; readonly role: string }
  /** The role sees recordings from its start on. */
  | { readonly kind: 'earlier'; readonly role: string }
  | { readonly kind: 'user'; readonly user: string }
  /** Someone whose role is theirs alone. */
  | { readonly kind: 'person'; readonly user: string }
  | { readonly kind: 'unblock'; readonly user: string }
  /** The account itself, for a missing second factor. */
  | { readonly kind: 'account'; readonly user: string }
  | { readonly kind: 'recorder'; readonly role: string }
  | { readonly kind: 'tokens'; readonly user?: string | undefined }
  | { readonly kind: 'add-user' }
  /** The role comes from a proxy, so no page of Postern can change it. */
  | { readonly kind: 'proxy' };

/** The part of the API's explanation that is needed here. `user` is null for a question about a role. */
interface Refusal {
  readonly reason: string;
  readonly user: string | null;
  readonly role: string | null;
  readonly token_id: string | null;
  readonly not_granted: readonly string[];
}

const needsOtherRole: ReadonlySet<string> = new Set(['admin_only', 'read_only', 'target_unresolved']);
const needsRecorder: ReadonlySet<string> = new Set(['recorder_role_unverified', 'cameras_too_many']);
const needsOtherToken: ReadonlySet<string> = new Set([
  'api_token_unknown',
  'api_token_expired',
  'api_token_too_wide',
  'basic_over_http',
  'cameras_unnamed',
]);
/** The token may be narrower than its owner's role. */
const ofRoleOrToken: ReadonlySet<string> = new Set([
  'camera_not_granted',
  'role_may_not',
  'role_outside_schedule',
  'before_schedule',
  'time_unreadable',
]);
const needsEarlier: ReadonlySet<string> = new Set(['before_schedule', 'time_unreadable']);

/**
 * @param source how the user was identified, from the audit record
 * @returns the places, the nearest first. Empty where only the configuration, or no one, can give access
 */
export function placesOf(refusal: Refusal, source: string | null): readonly AccessPlace[] {
  const { reason, user, role, token_id: token, not_granted: cameras } = refusal;
  if (reason === 'user_unknown') return [{ kind: 'add-user' }];
  if (needsOtherToken.has(reason) || (token !== null && ofRoleOrToken.has(reason)))
    return [{ kind: 'tokens', user: user ?? undefined }];
  if (reason === 'user_blocked') return user === null ? [] : [{ kind: 'unblock', user }];
  if (reason === 'second_factor_missing') return user === null ? [] : [{ kind: 'account', user }];
  if (role === null) return [];
  const otherRole: readonly AccessPlace[] =
    source === 'proxy' ? [{ kind: 'proxy' }] : user === null ? [] : [{ kind: 'user', user }];
  // The owner's role may allow more than the token's.
  if (needsOtherRole.has(reason))
    return token === null ? otherRole : [{ kind: 'tokens', user: user ?? undefined }];
  if (isNamelessRole(role) && user !== null)
    return ofRoleOrToken.has(reason) ? [{ kind: 'person', user }] : [];
  if (needsRecorder.has(reason)) return [{ kind: 'recorder', role }];
  if (reason === 'role_outside_schedule') return [{ kind: 'schedule', role }, ...otherRole];
  if (needsEarlier.has(reason)) return [{ kind: 'earlier', role }, ...otherRole];
  if (reason === 'role_may_not') return [{ kind: 'may', role }, ...otherRole];
  if (reason === 'camera_not_granted') return [{ kind: 'role', role, cameras }, ...otherRole];
  return [];
}
