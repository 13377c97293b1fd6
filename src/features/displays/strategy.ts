import type { DisplayCredentials, PresentedDisplay } from './display-credentials.ts';
import { displayMay } from './displays.ts';
import { narrowMay, type May } from '../../policy/capability.ts';
import { plainIdentity } from '../../policy/identity.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import { currentRole, type Roles } from '../../policy/role-access.ts';
import { identityToken } from '../../policy/token-scope.ts';
import type { Authenticated, Strategy } from '../../access/authentication/authenticate.ts';
import { bearerOf } from '../../access/authentication/credentials.ts';
import { ownCookies } from '../../policy/own-cookies.ts';
import { sessionCookie } from '../../accounts/sessions/session-cookie.ts';

/** Capabilities of a display, if the user who approved it has them. */
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
    // An ended session explains a refusal better than an ended display.
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

/** The cookie with the credential of a display (RFC 6265bis). */
export interface DisplayCookie {
  /** @returns the credential; `undefined` if there is none, or several that differ */
  read(cookieHeaders: readonly string[]): string | undefined;
  /**
   * @param isFramed the wall is in a frame of another site, where only a partitioned cookie travels, and only over TLS
   * @returns the `Set-Cookie`
   */
  set(credential: string, isFramed: boolean, secure: boolean): string;
  clear(secure: boolean): string;
}

const cookieName = ownCookies.display;

/** Seconds: the longest that browsers keep a cookie. Each new credential begins it again. */
const longestLife = 400 * 86_400;

export function createDisplayCookie(): DisplayCookie {
  const { read } = sessionCookie(cookieName);
  const plain = (secure: boolean) => `; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  const framed = '; Path=/; HttpOnly; SameSite=None; Secure; Partitioned';
  return {
    read: (cookieHeaders) => {
      // Most requests have none.
      if (!cookieHeaders.some((header) => header.includes(`${cookieName}=`))) return undefined;
      const found = read(cookieHeaders);
      return typeof found === 'string' ? undefined : found.token;
    },
    set: (credential, isFramed, secure) =>
      `${cookieName}=${credential}; Max-Age=${longestLife}${isFramed && secure ? framed : plain(secure)}`,
    clear: (secure) => `${cookieName}=; Max-Age=0${plain(secure)}`,
  };
}
