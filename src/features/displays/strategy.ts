import type { DisplayCookie } from './display-cookie.ts';
import type { DisplayCredentials, PresentedDisplay } from './display-credentials.ts';
import { displayMay } from './listed-display.ts';
import { narrowMay, type May } from '../../policy/capability.ts';
import { plainIdentity } from '../../policy/identity.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import { currentRole, type Roles } from '../../policy/role-access.ts';
import { identityToken } from '../../policy/token-scope.ts';
import type { Authenticated, Strategy } from '../../access/authentication/authenticate.ts';
import { bearerOf } from '../../access/authentication/credentials.ts';

/** Whatever the user who approved it may do. */
const mayOfDisplays: May = new Set(displayMay);

interface DisplayRules {
  readonly roles: Roles;
  /** The provider whose federated users may approve displays. */
  readonly issuer: string | undefined;
}

/**
 * The cookie of a display, for requests without a valid session: the screen of a user who has signed in is theirs. The role is that of
 * the user who approved it at this moment, and an admin's display is a viewer. A bearer is never replaced by it.
 * @param session the strategy for session tokens
 */
export function sessionOrDisplay(
  session: Strategy,
  credentials: Pick<DisplayCredentials, 'check' | 'recall'>,
  cookie: Pick<DisplayCookie, 'read'>,
  rules: DisplayRules,
): Strategy {
  const byDisplay = async (
    credential: string,
    found: Authenticated | Promise<Authenticated>,
    on: Parameters<Strategy>[1],
  ): Promise<Authenticated> => {
    const bySession = await found;
    if ('identity' in bySession) return bySession;
    const remembered = on === undefined ? credentials.recall(credential) : undefined;
    const isKnown = remembered !== undefined && 'display' in remembered;
    const byCookie = identified(isKnown ? remembered : await credentials.check(credential, on), rules);
    // A session that is over is why its user sees nothing; a display that is over, only without one.
    return 'refused' in byCookie && bySession.refused !== 'no_session' ? bySession : byCookie;
  };
  return (request, on, revalidated) => {
    const bySession = session(request, on, revalidated);
    const credential = cookie.read(headerValues(request.headers, 'cookie'));
    if (credential === undefined || bySession === undefined || bearerOf(request.headers) !== undefined)
      return bySession;
    return byDisplay(credential, bySession, on);
  };
}

function identified(presented: PresentedDisplay, { roles, issuer }: DisplayRules): Authenticated {
  if ('problem' in presented) return { refused: presented.problem };
  const { display, generation } = presented;
  const { id, name, owner, ownerRole, isOwnerBlocked, ownerIssuer } = display;
  if (isOwnerBlocked) return { refused: 'user_blocked' };
  if (ownerIssuer !== undefined && ownerIssuer !== issuer) return { refused: 'provider_removed' };
  const ofOwner = currentRole(ownerRole, roles);
  const role = ofOwner === 'admin' ? 'viewer' : ofOwner;
  const may = narrowMay(mayOfDisplays, display.may);
  const token = { ...identityToken(display), may, name, owner, generation };
  return { identity: { ...plainIdentity(`display:${id}`, role, 'display'), token } };
}
