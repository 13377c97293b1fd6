import * as v from 'valibot';
import type { Clock } from '../../clock.ts';
import { ownCookies } from '../../policy/own-cookies.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import { sessionCookie } from '../../accounts/sessions/session-cookie.ts';
import type { Share } from './shares.ts';

/**
 * The cookie of a browser that has opened a share: valid for that share alone, with the secret it had, until the share ends.
 */
export interface ShareCookie {
  /** @param prefix path below which the client sees the site. @returns the `Set-Cookie` */
  issue(
    share: Pick<Share, 'id' | 'secretHash' | 'expiresAt'>,
    prefix: string,
    secure: boolean,
  ): Promise<string>;
  /** @returns what the cookie was issued for; undefined: none is valid */
  read(cookieHeaders: readonly string[]): Promise<Pick<Share, 'id' | 'secretHash'> | undefined>;
}

const name = ownCookies.share;
const purpose = 'opened share';

/** Seconds: after that, the share is opened again. */
const longestLife = 43_200;

const claimed = v.object({ share: v.string(), secret: v.string() });

export function createShareCookie(sealing: Pick<Sealing, 'issue' | 'read'>, clock: Clock): ShareCookie {
  const cookie = sessionCookie(name);
  return {
    issue: async ({ id, secretHash, expiresAt }, prefix, secure) => {
      const left = Math.ceil((expiresAt - clock.now()) / 1000);
      const seconds = Math.max(1, Math.min(longestLife, left));
      const value = await sealing.issue(purpose, { share: id, secret: secretHash }, seconds);
      const attributes = `Max-Age=${seconds}; Path=${prefix}/postern/share/${id}/; HttpOnly; SameSite=Strict`;
      return `${name}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
    },

    read: async (cookieHeaders) => {
      const found = cookie.read(cookieHeaders);
      if (typeof found === 'string') return undefined;
      const claims = await sealing.read(purpose, found.token);
      return v.is(claimed, claims) ? { id: claims.share, secretHash: claims.secret } : undefined;
    },
  };
}
