import * as v from 'valibot';
import type { Authenticated, Strategy } from '../../access/authentication/authenticate.ts';
import { canonicalOf, type RequestContext } from '../../policy/request-context.ts';
import { plainIdentity, type ShareScope } from '../../policy/identity.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import { sharedTarget } from '../../policy/share-scope.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { identityOfCreator, type CreatorDependencies } from '../../access/creator.ts';
import { mediaOf, type RecordedThings } from './shared-things.ts';
import type { Shares, Share } from './shares.ts';
import type { Clock } from '../../clock.ts';
import { ownCookies } from '../../policy/own-cookies.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import { sessionCookie } from '../../accounts/sessions/session-cookie.ts';

interface ShareLinkDependencies extends CreatorDependencies {
  readonly shares: Pick<Shares, 'find'>;
  readonly shareCookie: Pick<ShareCookie, 'read'>;
  readonly recordedThings: RecordedThings;
  readonly isEnabled: boolean;
}

const mediaPath = /^\/postern\/share\/([\w-]{16,64})\/media(\/.+)$/;

/** Whether a request target is for media of a share, in its only valid spelling. */
export function isMediaTarget(target: string): boolean {
  return target.startsWith('/postern/share/') && /^[^/?]+\/media\//.test(target.slice(15));
}

/** The link of a share unlocked in this browser. It is the only credential for the paths of shared media, and valid only there. */
export function shareLink(dependencies: ShareLinkDependencies, settings: Settings): Strategy {
  const { shares, shareCookie, recordedThings, isEnabled, clock } = dependencies;

  const identify = async (request: RequestContext): Promise<Authenticated> => {
    const { method, headers } = request;
    const read = canonicalOf(request);
    if (read === undefined || 'refused' in read) return { refused: read?.refused ?? 'uri_malformed' };
    const [, id = '', below = ''] = mediaPath.exec(read.path) ?? [];
    if (id === '') return { refused: 'share_scope' };
    const opened = await shareCookie.read(headerValues(headers, 'cookie'));
    if (opened?.id !== id) return { refused: 'share_unopened' };

    const visitor = plainIdentity(`share:${id}`, '', 'share');
    const share = isEnabled ? await shares.find(id) : undefined;
    const media =
      share?.secretHash === opened.secretHash ? share && mediaOf(share, recordedThings) : undefined;
    if (share === undefined || media === undefined) return { identity: visitor, share: over };
    const creator = await identityOfCreator(share.creator, settings, dependencies);
    const target = sharedTarget(media, method, { path: below, query: read.query }, clock.now());
    const { camera, expiresAt, needsWord } = share;
    return {
      identity: creator === undefined ? visitor : { ...visitor, role: creator.role },
      share: { isOver: false, creator, needsWord, target, camera, expiresAt },
    };
  };

  return (request) => (request.isSharedMedia === true ? identify(request) : undefined);
}

const over: ShareScope = {
  isOver: true,
  creator: undefined,
  needsWord: true,
  target: undefined,
  camera: '',
  expiresAt: 0,
};

/**
 * The cookie of a browser that has opened a share: valid only for that share, with the secret it had, until the share ends.
 */
export interface ShareCookie {
  /** @param prefix path below which the client sees the site. @returns the `Set-Cookie` */
  issue(
    share: Pick<Share, 'id' | 'secretHash' | 'expiresAt'>,
    prefix: string,
    secure: boolean,
  ): Promise<string>;
  /** @returns the share that the cookie was issued for; `undefined` if no cookie is valid */
  read(cookieHeaders: readonly string[]): Promise<Pick<Share, 'id' | 'secretHash'> | undefined>;
}

const cookieName = ownCookies.share;
const purpose = 'opened share';

/** Seconds: after that, the share is opened again. */
const longestLife = 43_200;

const claimed = v.object({ share: v.string(), secret: v.string() });

export function createShareCookie(sealing: Pick<Sealing, 'issue' | 'read'>, clock: Clock): ShareCookie {
  const cookie = sessionCookie(cookieName);
  return {
    issue: async ({ id, secretHash, expiresAt }, prefix, secure) => {
      const left = Math.ceil((expiresAt - clock.now()) / 1000);
      const seconds = Math.max(1, Math.min(longestLife, left));
      const value = await sealing.issue(purpose, { share: id, secret: secretHash }, seconds);
      const attributes = `Max-Age=${seconds}; Path=${prefix}/postern/share/${id}/; HttpOnly; SameSite=Strict`;
      return `${cookieName}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
    },

    read: async (cookieHeaders) => {
      const found = cookie.read(cookieHeaders);
      if (typeof found === 'string') return undefined;
      const claims = await sealing.read(purpose, found.token);
      return v.is(claimed, claims) ? { id: claims.share, secretHash: claims.secret } : undefined;
    },
  };
}
