import type { Clock } from '../clock.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import { canonicalUri } from '../policy/canonical-uri.ts';
import type { Decision } from '../policy/decision.ts';
import type { Identity } from '../policy/identity.ts';
import { plainIdentity } from '../policy/identity.ts';
import { headerValues } from '../policy/raw-headers.ts';
import type { Reason } from '../policy/reasons.ts';
import { globalDenial } from '../policy/global-denial.ts';
import { decideForMaker } from '../policy/share-access.ts';
import { sharedTarget, type SharedMedia } from '../policy/share-scope.ts';
import type { Settings } from '../settings/settings.ts';
import { identityOfMaker, type MakerDependencies } from './maker.ts';
import { maySee, mediaOf, type RecordedThings } from './shared-things.ts';
import type { ShareCookie } from './share-cookie.ts';
import type { Share, Shares } from './shares.ts';

/** A decision about a request for media of a share. */
interface MediaDecision {
  readonly decision: Decision;
  /** When it is allowed. */
  readonly passage?: MediaPassage;
}

/** What the recorder is asked. */
interface MediaPassage {
  /** In origin-form. */
  readonly target: string;
  /** Who asks it: whoever made the share. */
  readonly maker: Identity;
}

export interface SharedMediaDependencies extends MakerDependencies {
  readonly shares: Pick<Shares, 'find'>;
  readonly shareCookie: Pick<ShareCookie, 'read'>;
  readonly recordedThings: RecordedThings;
  /** The configuration and the custom roles of this moment. @throws AppError `store_unavailable` */
  readonly currentSettings: () => Promise<Settings>;
  readonly isEnabled: boolean;
  readonly clock: Clock;
}

/** What shares show at this moment: what their makers may see, and no more. */
export interface SharedMediaAccess {
  /** @returns undefined when it shows nothing: its maker may not see it any more, or it is gone */
  show(share: Share): Promise<SharedMedia | undefined>;
  /** Decides about a request whose path is one of media of a share. Nothing is recorded. */
  decide(request: AuthorizationRequest): Promise<MediaDecision>;
}

const mediaPath = /^\/postern\/share\/([\w-]{16,64})\/media(\/.+)$/;

/** Whether a request target is one of media of a share: in any other spelling it is none. */
export function isMediaTarget(target: string): boolean {
  return target.startsWith('/postern/share/') && /^[^/?]+\/media\//.test(target.slice(15));
}

export function createSharedMedia(dependencies: SharedMediaDependencies): SharedMediaAccess {
  const { shares, shareCookie, recordedThings, currentSettings, isEnabled, clock } = dependencies;

  return {
    show: async (share) => {
      if (!isEnabled) return undefined;
      const settings = await currentSettings();
      const maker = await identityOfMaker(share.maker, settings, dependencies);
      const media = maker && mediaOf(share, recordedThings);
      if (maker === undefined || media === undefined) return undefined;
      return maySee(maker, media, share, settings.rules, clock.now()) ? media : undefined;
    },

    decide: async (request) => {
      const { method, uri = '', headers } = request;
      const read = canonicalUri(uri);
      const path = 'path' in read ? read.path : undefined;
      const refuse = (reason: Reason, identity?: Identity): MediaDecision => {
        const outcome = reason === 'share_unopened' ? 'unauthenticated' : 'forbidden';
        return { decision: { path, outcome, reason, identity } };
      };
      if ('refused' in read) return refuse(read.refused);
      const settings = await currentSettings();
      const outright = globalDenial(request, settings.rules.internalHosts);
      if (outright !== undefined) return refuse(outright);
      const [, id = '', below = ''] = mediaPath.exec(read.path) ?? [];
      if (id === '') return refuse('share_scope');

      const opened = await shareCookie.read(headerValues(headers, 'cookie'));
      if (opened?.id !== id) return refuse('share_unopened');
      const visitor = plainIdentity(`share:${id}`, '', 'share');
      const share = isEnabled ? await shares.find(id) : undefined;
      if (share === undefined || share.secretHash !== opened.secretHash) return refuse('share_over', visitor);
      const media = mediaOf(share, recordedThings);
      if (media === undefined) return refuse('share_over', visitor);
      const maker = await identityOfMaker(share.maker, settings, dependencies);
      if (maker === undefined) return refuse('share_maker', visitor);
      const identity = { ...visitor, role: maker.role };
      const target = sharedTarget(media, method, { path: below, query: read.query }, clock.now());
      if (target === undefined) return refuse('share_scope', identity);
      const decided = decideForMaker(target, method, share.camera, maker, settings.rules);
      if (decided.outcome !== 'allow') return refuse(decided.reason, identity);
      const { outcome, rule, resource } = decided;
      const grant = new Set([share.camera]);
      const until = Math.min(decided.until ?? Number.POSITIVE_INFINITY, share.expiresAt);
      return {
        decision: { path, rule, resource, outcome, reason: 'shared', identity, grant, until },
        passage: { target, maker },
      };
    },
  };
}
