import { isApiToken, type ApiTokens, type PresentedApiToken } from '../../identity/api-tokens/api-tokens.ts';
import type { CustomRoles } from '../../policy/grant.ts';
import type { Schedules } from '../../policy/schedule.ts';
import { plainIdentity } from '../../policy/identity.ts';
import { isWithinOwner } from '../../policy/token-scope.ts';
import type { Authenticated, Strategy } from './authenticate.ts';
import { bearerOf } from './credentials.ts';

interface DefinedRoles {
  readonly customRoles: CustomRoles;
  readonly schedules: Schedules;
}

/**
 * An API token as bearer: the identity is its owner, with the role and the cameras of the token.
 * @param issuer of the provider whose federated users may have tokens
 */
export function apiToken(
  apiTokens: Pick<ApiTokens, 'check' | 'recall'>,
  roles: DefinedRoles,
  issuer?: string,
): Strategy {
  return ({ headers }, on) => {
    const bearer = bearerOf(headers);
    if (bearer === undefined || 'refused' in bearer || !isApiToken(bearer.token)) return undefined;
    const remembered = on === undefined ? apiTokens.recall(bearer.token) : undefined;
    if (remembered !== undefined) return identified(remembered, roles, issuer);
    return apiTokens.check(bearer.token, on).then((checked) => identified(checked, roles, issuer));
  };
}

/** A token that exceeds its owner's access is refused, never reduced. */
function identified(
  presented: PresentedApiToken,
  { customRoles, schedules }: DefinedRoles,
  issuer: string | undefined,
): Authenticated {
  if ('problem' in presented) return { refused: presented.problem };
  const { id, owner, ownerRole, isOwnerBlocked, ownerIssuer, role, cameras, expiresAt } = presented.apiToken;
  if (isOwnerBlocked) return { refused: 'user_blocked' };
  if (ownerIssuer !== undefined && ownerIssuer !== issuer) return { refused: 'provider_removed' };
  if (!isWithinOwner(presented.apiToken, ownerRole, customRoles, schedules))
    return { refused: 'api_token_too_wide' };
  return { identity: { ...plainIdentity(owner, role, 'api-token'), token: { id, cameras, expiresAt } } };
}
