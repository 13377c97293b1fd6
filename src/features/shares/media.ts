import type { RequestListener } from 'node:http';
import { mayShare } from '../../policy/evaluate/share-access.ts';
import type { SharedMedia } from '../../policy/share-scope.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { identityOfCreator, type CreatorDependencies } from '../../access/creator.ts';
import { mediaOf, shareableBy, type RecordedThings } from './shared-things.ts';
import type { Share } from './shares.ts';
import { AppError, type Answer, type ErrorCode } from '../../errors.ts';
import type { Refused } from '../../policy/decision.ts';
import type { RawHeaders } from '../../policy/raw-headers.ts';
import type { Reason } from '../../policy/reasons.ts';
import { hasBody } from '../../http/reverse-proxy/read-ahead.ts';
import { passOn, type PassingDependencies } from '../../http/reverse-proxy/reverse-proxy.ts';
import { send } from '../../http/reverse-proxy/client-end.ts';
import type { PassedHeaders } from '../../http/reverse-proxy/upstream-headers.ts';

interface ShownMediaDependencies extends CreatorDependencies {
  readonly recordedThings: RecordedThings;
  /** The current configuration and custom roles. @throws AppError `store_unavailable` */
  readonly currentSettings: () => Promise<Settings>;
  readonly isEnabled: boolean;
}

/** @returns the media that a share shows at this moment; `undefined` if its creator has lost access, or they are gone */
type ShowMedia = (share: Share) => Promise<SharedMedia | undefined>;

export function showMedia(dependencies: ShownMediaDependencies): ShowMedia {
  const { recordedThings, currentSettings, isEnabled, clock } = dependencies;
  return async (share) => {
    if (!isEnabled) return undefined;
    const settings = await currentSettings();
    const creator = await identityOfCreator(share.creator, settings, dependencies);
    const media = creator && mediaOf(share, recordedThings);
    if (creator === undefined || media === undefined) return undefined;
    if (share.needsWord && !mayShare(creator, settings.rules)) return undefined;
    return shareableBy(creator, { media, camera: share.camera }, settings.rules, clock.now());
  };
}

/** Headers of a share's visitor that reach the recorder: only those about the form of the answer. */
const passedOn: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'host',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
]);

/** Headers of the recorder that reach a share's visitor: only those that describe the answer. */
const passedBack: ReadonlySet<string> = new Set([
  'accept-ranges',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'last-modified',
]);

/** Answers must not be stored or indexed, run anything, or reveal where they come from. */
const added: readonly string[] = Object.entries({
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
}).flat();

export const sharedMediaHeaders: PassedHeaders = {
  sent: (headers) => only(passedOn, headers),
  answered: (headers) => only(passedBack, headers),
  added,
};

/** Answers requests for media of shares from the upstream. */
export function serveSharedMedia(current: () => PassingDependencies): RequestListener {
  return (request, response) => {
    if (!hasBody(request)) void passOn(current, request, response);
    else send(response, current().errorAnswer(new AppError('bad_request'), request));
  };
}

/** Visitors do not see why a share is over: the reason is only for administrators. */
const errorOf: Partial<Record<Reason, ErrorCode>> = {
  share_unopened: 'unauthenticated',
  share_scope: 'forbidden',
  host_unknown: 'host_unknown',
  method_refused: 'forbidden',
};

/** @param error that caused the refusal */
export function sharedMediaRefusal(
  { reason }: Refused,
  decision: string,
  error: unknown,
  errorAnswer: (error: unknown) => Answer,
): Answer {
  const isMalformed = reason.startsWith('uri_');
  const refusal = new AppError(errorOf[reason] ?? (isMalformed ? 'forbidden' : 'share_over'));
  const answer = errorAnswer(error ?? refusal);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-postern-decision': decision,
    },
  };
}

function only(names: ReadonlySet<string>, headers: RawHeaders): string[] {
  return headers.flatMap((name, i) =>
    i % 2 === 0 && names.has(name.toLowerCase()) ? [name, headers[i + 1] ?? ''] : [],
  );
}
