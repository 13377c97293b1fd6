import * as v from 'valibot';
import { attempt, type FailureLimit } from '../../accounts/limits/failure-limit.ts';
import type { PasswordHasher } from '../../accounts/users/password-hash.ts';
import { AppError } from '../../errors.ts';
import { type SharedMedia, sharedPaths } from '../../policy/share-scope.ts';
import { isSecretOf } from '../../accounts/users/credentials.ts';
import { isShareId, type Share, type Shares } from './shares.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { clientOf } from '../../http/fronts/client.ts';
import { textOf } from '../../http/validation.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { ShareCookie } from './strategy.ts';
import type { ShareUnlocks } from './share-unlocks.ts';
import { endpoint } from '../../api/endpoint.ts';
import { requireSameSite } from '../../api/request.ts';
import { longestPassword, shown } from './endpoints.ts';

/** A share that may be opened, and its media. */
interface OpenShare {
  readonly share: Share;
  readonly media: SharedMedia;
}

/** Link and password that a client presents to unlock a share. */
interface Presented {
  readonly id: string;
  readonly secret: string;
  /** Absent when the page has not asked for it yet. */
  readonly password?: string | undefined;
  /** Address of the client. */
  readonly address: string;
}

interface UnlockDependencies {
  readonly shares: Pick<Shares, 'find'>;
  readonly hasher: Pick<PasswordHasher, 'verify'>;
  /** Attempts by address, as for logins. */
  readonly byAddress: FailureLimit;
  /** Wrong passwords by share: one link may be used from many addresses. */
  readonly byShare: FailureLimit;
  /** @returns the media that a share shows now; `undefined` if they are gone, or its creator may no longer see them */
  readonly show: (share: Share) => Promise<SharedMedia | undefined>;
}

/**
 * Unlocks a share for anyone who has its secret. Without the secret, no one learns whether there is such a share, nor whether it has a
 * password: the answer and its time are the same.
 * @throws AppError `share_over`, `share_password_needed`, `share_password_wrong`, `too_many_requests`
 */
export type UnlockShare = (presented: Presented) => Promise<OpenShare>;

export function createUnlock({ shares, hasher, byAddress, byShare, show }: UnlockDependencies): UnlockShare {
  const find = async ({ id, secret }: Presented): Promise<OpenShare> => {
    const share = isShareId(id) ? await shares.find(id) : undefined;
    if (!isSecretOf(share, secret) || share === undefined) throw new AppError('share_over');
    const media = await show(share);
    if (media === undefined) throw new AppError('share_over');
    return { share, media };
  };

  return (presented) =>
    attempt(isFailure, async (take) => {
      await take(byAddress, presented.address);
      const found = await find(presented);
      const { passwordHash, id } = found.share;
      if (passwordHash === undefined) return found;
      const { password } = presented;
      if (password === undefined) throw new AppError('share_password_needed');
      await take(byShare, id);
      const { matches } = await hasher.verify(password, passwordHash);
      if (!matches) throw new AppError('share_password_wrong');
      // The share may have ended while the password was compared.
      return find(presented);
    });
}

/** Whether the attempt was a guess. */
function isFailure(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'share_over' || error.code === 'share_password_wrong');
}

const presented = v.object({
  secret: textOf(1, 256),
  password: v.optional(textOf(0, longestPassword)),
});
const path = v.exactOptional(v.pipe(v.string(), v.description('Relative to `/postern/share/`.')));
const opened = v.strictObject({
  ...shown,
  media: v.strictObject({ video: path, thumbnail: path, live: path, download: path }),
});

interface OpenShareDependencies {
  readonly settings: Settings;
  readonly unlockShare: UnlockShare;
  readonly shareCookie: Pick<ShareCookie, 'issue'>;
  readonly shareUnlocks: Pick<ShareUnlocks, 'note'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

export const openShare = endpoint({
  method: 'post',
  path: '/postern/api/shares/:id/open',
  level: 'public',
  tag: 'Shares',
  summary: 'Open a share',
  description:
    'The page behind a link does this. The cookie in the answer is valid for the media of this share only, until the share ends, and for twelve hours at most.',
  pathParameters: { id: 'Id of the share.' },
  body: presented,
  bodyExample: { secret: 'NDCVdBKYbKtL8UOCnGXOnFVwYKwMJjoYhSeMvVf0k0c' },
  answers: {
    200: { meaning: 'Opened. `media` lists what it contains.', body: opened },
    401: { meaning: '`share_password_needed`, or `share_password_wrong`.' },
    404: { meaning: '`share_over`: there is no such share, it is over, or the secret is wrong.' },
    429: { meaning: 'Too many attempts: `auth.failed_login_rate_limit`, counted for shares only.' },
  },
  before: (dependencies: OpenShareDependencies) => (c) => requireSameSite(c, dependencies),
  handle:
    ({ settings, unlockShare, shareCookie, shareUnlocks, audit, clock }: OpenShareDependencies) =>
    async (c) => {
      const id = c.req.param('id');
      const { address, prefix, secure } = clientOf(c.env, settings);
      const { share, media } = await unlockShare({ id, address, ...c.req.valid('json') }).catch(
        async (error: unknown) => {
          const reason = error instanceof AppError ? error.code : 'internal';
          // The page first tries without a password.
          if (reason !== 'share_password_needed')
            await audit.record({
              event: 'share_open_failed',
              address,
              object: isShareId(id) ? id : undefined,
              reason,
            });
          c.set('isRecorded', true);
          throw error;
        },
      );
      c.header('set-cookie', await shareCookie.issue(share, prefix, secure));
      c.header('cache-control', 'no-store');
      c.header('referrer-policy', 'no-referrer');
      c.header('x-robots-tag', 'noindex');
      if (shareUnlocks.note(share.id, address))
        await audit.record({
          event: 'share_opened',
          source: 'share',
          address,
          object: share.id,
          detail: { made_by: share.creator.user, shows: `${share.kind} of ${share.camera}` },
        });
      const paths = Object.entries(sharedPaths(media, clock.now()));
      return {
        kind: share.kind,
        cameras: [share.camera],
        label: share.label ?? null,
        from: wholeSeconds(share.from),
        until: wholeSeconds(share.until),
        expires_at: wholeSeconds(share.expiresAt),
        media: Object.fromEntries(paths.map(([name, path]) => [name, `${share.id}/media/${path}`])),
      };
    },
});
