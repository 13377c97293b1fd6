import type { ApiTokens, PresentedApiToken } from './api-tokens.ts';
import type { BasicCredentials } from '../../policy/authorization-header.ts';
import { plainIdentity } from '../../policy/identity.ts';
import { fromHeaderValue } from '../../policy/identity-headers.ts';
import { isSameUserName } from '../../policy/names.ts';
import type { RequestContext } from '../../policy/request-context.ts';
import type { Roles } from '../../policy/role-access.ts';
import { identityToken, isWithinOwner } from '../../policy/token-scope.ts';
import type { Authenticated, Strategy } from '../../access/authentication/authenticate.ts';
import { apiTokenOf } from '../../access/authentication/credentials.ts';

interface ApiTokenRules {
  readonly roles: Roles;
  /** The provider whose federated users may have tokens. */
  readonly issuer: string | undefined;
  /** Whether no one between the client and the gate can read a request. */
  readonly isProtected: (request: RequestContext) => boolean;
}

/** The user name in Basic for a client that does not know the owner's. */
const anyOwner = 'token';

/**
 * An API token as bearer, or as the password of Basic: the identity is its owner, with the role and the cameras of the token. Any other
 * Basic is not the gate's.
 */
export function apiToken(apiTokens: Pick<ApiTokens, 'check' | 'recall'>, rules: ApiTokenRules): Strategy {
  return (request, on) => {
    const presented = apiTokenOf(request.headers);
    if (presented === undefined) return undefined;
    const { token, basic } = presented;
    if (basic !== undefined) {
      if (!rules.isProtected(request)) return { refused: 'basic_over_http' };
      if (!basic.isPlain) return { refused: 'api_token_unknown' };
    }
    const remembered = on === undefined ? apiTokens.recall(token) : undefined;
    if (remembered !== undefined) return identified(remembered, basic, rules);
    return apiTokens.check(token, on).then((checked) => identified(checked, basic, rules));
  };
}

/** A token that exceeds its owner's access is refused, never reduced. */
function identified(
  presented: PresentedApiToken,
  basic: BasicCredentials | undefined,
  { roles, issuer }: ApiTokenRules,
): Authenticated {
  if ('problem' in presented) return { refused: presented.problem };
  const { owner, ownerRole, isOwnerBlocked, ownerIssuer, role } = presented.apiToken;
  if (basic !== undefined && !isSameUserName(userOf(basic), owner) && !isSameUserName(basic.user, anyOwner))
    return { refused: 'api_token_unknown' };
  if (isOwnerBlocked) return { refused: 'user_blocked' };
  if (ownerIssuer !== undefined && ownerIssuer !== issuer) return { refused: 'provider_removed' };
  if (!isWithinOwner(presented.apiToken, ownerRole, roles)) return { refused: 'api_token_too_wide' };
  const identity = { ...plainIdentity(owner, role, 'api-token'), token: identityToken(presented.apiToken) };
  return { identity: basic === undefined ? identity : { ...identity, scheme: 'basic' } };
}

/** Clients send UTF-8 (RFC 7617, 2.1). */
function userOf({ user }: BasicCredentials): string {
  return fromHeaderValue(user) ?? user;
}
