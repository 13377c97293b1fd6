import * as v from 'valibot';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../http/fronts/client.ts';
import { textOf } from '../../http/validation.ts';
import { sharedPaths } from '../../policy/share-scope.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { UnlockShare } from './unlock.ts';
import type { ShareCookie } from './share-cookie.ts';
import type { ShareUnlocks } from './share-unlocks.ts';
import { isShareId } from './shares.ts';
import { endpoint } from '../../api/endpoint.ts';
import { requireSameSite } from '../../api/require-same-site.ts';
import { longestPassword } from './new-share.ts';
import { shown } from './endpoints.ts';

const presented = v.object({
  secret: textOf(1, 256),
  password: v.optional(textOf(0, longestPassword)),
});
const path = v.exactOptional(v.pipe(v.string(), v.description('Relative to `/postern/share/`.')));
const opened = v.strictObject({
  ...shown,
  media: v.strictObject({ video: path, thumbnail: path, live: path, download: path }),
});

export interface OpenShareDependencies {
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
