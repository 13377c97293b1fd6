import type { Users } from '../../identity/users/users.ts';
import type { ApiTokens } from '../../identity/api-tokens/api-tokens.ts';
import { lacksSecondFactor } from '../authentication/session-token.ts';
import type { Clock } from '../../clock.ts';
import { currentRole } from '../../policy/role-access.ts';
import { plainIdentity, type Identity } from '../../policy/identity.ts';
import { identityToken, isWithinOwner } from '../../policy/token-scope.ts';
import type { Settings } from '../settings/settings.ts';
import type { ShareCreator } from '../../identity/shares/shares.ts';

export interface CreatorDependencies {
  readonly users: Pick<Users, 'findTogether'>;
  readonly apiTokens: Pick<ApiTokens, 'find'>;
  readonly clock: Clock;
}

type CreatorSettings = Pick<Settings, 'mode' | 'issuer' | 'secondFactorFor'> & {
  readonly rules: Pick<Settings['rules'], 'roles'>;
};

/**
 * The current identity of a share's creator, with their current role if the gate has it. For a user of a proxy, it has the role from
 * when the share was created, with that role's current access.
 * @returns undefined if the creator has lost access: blocked, removed, without the token, or by a way that is closed
 */
export async function identityOfCreator(
  creator: ShareCreator,
  settings: CreatorSettings,
  { users, apiTokens, clock }: CreatorDependencies,
): Promise<Identity | undefined> {
  const { user, role, source, tokenId } = creator;
  const { mode, issuer, secondFactorFor, rules } = settings;
  if (source === 'internal') return plainIdentity(user, role, source);
  if (source === 'proxy') return mode === 'proxy' ? plainIdentity(user, role, source) : undefined;
  if (mode === 'proxy') return undefined;

  if (source === 'api-token') {
    const token = tokenId === undefined ? undefined : await apiTokens.find(tokenId);
    if (token === undefined || token.owner !== user || token.isOwnerBlocked) return undefined;
    if (token.expiresAt !== undefined && clock.now() >= token.expiresAt) return undefined;
    if (token.ownerIssuer !== undefined && token.ownerIssuer !== issuer) return undefined;
    if (!isWithinOwner(token, token.ownerRole, rules.roles)) return undefined;
    return { ...plainIdentity(user, token.role, source), token: identityToken(token) };
  }

  const found = await users.findTogether(user);
  if (found === undefined || found.blocked !== undefined) return undefined;
  if (found.issuer !== undefined && found.issuer !== issuer) return undefined;
  const roleNow = currentRole(found.role, rules.roles);
  if (lacksSecondFactor(found, roleNow, secondFactorFor)) return undefined;
  return plainIdentity(user, roleNow, source);
}
