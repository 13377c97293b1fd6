/** Where somebody who may do so gives what was missing; the press itself gives nothing. */
export type AccessPlace =
  | { readonly kind: 'role'; readonly role: string; readonly cameras: readonly string[] }
  | { readonly kind: 'user'; readonly user: string }
  | { readonly kind: 'recorder'; readonly role: string }
  | { readonly kind: 'tokens'; readonly user?: string | undefined }
  | { readonly kind: 'add-user' }
  /** The role comes from a proxy: no page of ours changes it. */
  | { readonly kind: 'proxy' };

/** What the API explains of it. */
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
  'cameras_unnamed',
]);

/**
 * @param source how it was known who asked, as the audit says
 * @returns none where nobody can give access, or the configuration alone
 */
export function placesOf(refusal: Refusal, source: string | null): readonly AccessPlace[] {
  const { reason, user, role, token_id: token, not_granted: cameras } = refusal;
  if (reason === 'user_unknown') return [{ kind: 'add-user' }];
  if (needsOtherToken.has(reason) || (token !== null && reason === 'camera_not_granted'))
    return [{ kind: 'tokens', user: user ?? undefined }];
  if (user === null || role === null) return [];
  const otherRole: AccessPlace = source === 'proxy' ? { kind: 'proxy' } : { kind: 'user', user };
  // The owner of a token has a role that the token need not have.
  if (needsOtherRole.has(reason)) return [token === null ? otherRole : { kind: 'tokens', user }];
  if (needsRecorder.has(reason)) return [{ kind: 'recorder', role }];
  if (reason === 'camera_not_granted') return [{ kind: 'role', role, cameras }, otherRole];
  return [];
}
