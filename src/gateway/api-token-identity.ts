import type { PresentedApiToken } from '../accounts/api-tokens.ts';
import type { CustomRoles } from '../policy/grant.ts';
import { isWithinOwner } from '../policy/token-scope.ts';
import type { SessionIdentification } from './session-identity.ts';

/** The owner, with the role and the cameras of the token. A token that is too wide is refused, not narrowed. */
export function identifiedByApiToken(
  presented: PresentedApiToken,
  customRoles: CustomRoles,
): SessionIdentification {
  if ('problem' in presented) return { refused: presented.problem };
  const { apiToken } = presented;
  if (!isWithinOwner(apiToken, apiToken.ownerRole, customRoles)) return { refused: 'api_token_too_wide' };
  const { id, owner, role, cameras } = apiToken;
  return {
    subject: {
      user: owner,
      role,
      source: 'token',
      groups: '',
      email: '',
      name: '',
      token: { id, cameras },
    },
  };
}
