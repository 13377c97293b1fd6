import { Hono } from 'hono';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../fronts/client.ts';
import { sharedPaths } from '../../policy/share-scope.ts';
import type { Settings } from '../../settings/settings.ts';
import type { UnlockShare } from '../../shares/unlock.ts';
import type { ShareCookie } from '../../shares/share-cookie.ts';
import type { ShareOpenings } from '../../shares/share-openings.ts';
import { isShareId } from '../../shares/shares.ts';
import { validBody } from '../../validation.ts';
import type { ApiEnvironment } from '../request-context.ts';
import { requireSameSite } from '../require-same-site.ts';
import { presented } from './bodies.ts';

export interface OpenShareDependencies {
  readonly settings: Settings;
  readonly unlockShare: UnlockShare;
  readonly shareCookie: Pick<ShareCookie, 'issue'>;
  readonly shareOpenings: Pick<ShareOpenings, 'note'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

/** `/postern/api/shares/:id/open`, which needs no identity but the secret of the link. */
export function openShareRoutes(dependencies: OpenShareDependencies) {
  const { settings, unlockShare, shareCookie, shareOpenings, audit, clock } = dependencies;
  return new Hono<ApiEnvironment>().post(
    '/:id/open',
    async (c, next) => {
      await requireSameSite(c, dependencies);
      await next();
    },
    validBody(presented),
    async (c) => {
      const id = c.req.param('id');
      const { address, prefix, secure } = clientOf(c.env, settings);
      const { share, media } = await unlockShare({ id, address, ...c.req.valid('json') }).catch(
        async (error: unknown) => {
          const reason = error instanceof AppError ? error.code : 'internal';
          // The page comes without a password first.
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
      if (shareOpenings.note(share.id, address))
        await audit.record({
          event: 'share_opened',
          source: 'share',
          address,
          object: share.id,
          detail: { made_by: share.creator.user },
        });
      const paths = Object.entries(sharedPaths(media, clock.now()));
      return c.json({
        kind: share.kind,
        cameras: [share.camera],
        label: share.label ?? null,
        from: wholeSeconds(share.from),
        until: wholeSeconds(share.until),
        expires_at: wholeSeconds(share.expiresAt),
        media: Object.fromEntries(paths.map(([name, path]) => [name, `${share.id}/media/${path}`])),
      });
    },
  );
}

export type OpenShareApi = ReturnType<typeof openShareRoutes>;
