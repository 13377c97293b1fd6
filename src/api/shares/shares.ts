import { Hono } from 'hono';
import type { InferOutput } from 'valibot';
import type { ChangeLimit } from '../../accounts/change-limit.ts';
import type { PasswordHasher } from '../../accounts/password-hash.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../fronts/client.ts';
import { isHost } from '../../policy/host.ts';
import type { Identity } from '../../policy/identity.ts';
import type { Settings } from '../../settings/settings.ts';
import { listedShare } from '../../shares/listed-share.ts';
import { findThing, maySee, mediaOf, type RecordedThings, type Wanted } from '../../shares/shared-things.ts';
import type { ShareOpening, ShareOpenings } from '../../shares/share-openings.ts';
import { isCreator, type ShareCreator, type Shares } from '../../shares/shares.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { invalid, validBody, validQuery } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import { permitIf } from '../permit.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';
import { listQuery, newShare } from './bodies.ts';

/** What config.yml says of shares. */
interface ShareRules {
  readonly enabled: boolean;
  /** Milliseconds that a share may last. */
  readonly longest: number;
  readonly mostPerUser: number;
  /** Origin under which people reach the site; undefined: the one at which the maker asks. */
  readonly publicUrl: string | undefined;
}

export interface SharesDependencies {
  readonly settings: Settings;
  readonly shares: Shares;
  readonly shareOpenings: Pick<ShareOpenings, 'list'>;
  readonly shareRules: ShareRules;
  readonly recordedThings: RecordedThings;
  readonly changeLimit: ChangeLimit;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** `/postern/api/shares`: one's own shares, and everybody's for admins. */
export function shareRoutes(dependencies: SharesDependencies) {
  const { settings, shares, shareOpenings, shareRules, recordedThings } = dependencies;
  const { changeLimit, hasher, audit, logger, clock } = dependencies;

  /** What is descriptive only must not keep anybody from ending a share. */
  const openings = async (): Promise<ReadonlyMap<string, ShareOpening>> => {
    try {
      return await shareOpenings.list();
    } catch (error) {
      logger.warn({ err: error }, 'how often shares were opened cannot be read');
      return new Map();
    }
  };

  return new Hono<ApiEnvironment>()
    .get('/', validQuery(listQuery), async (c) => {
      const asker = askerOf(c);
      const isEverybody = asker.role === 'admin' && c.req.valid('query').own === undefined;
      const found = await shares.list(isEverybody ? 'everybody' : creatorOf(asker));
      const opened = await openings();
      return c.json(found.map((share) => listedShare(share, opened.get(share.id))));
    })

    .post('/', validBody(newShare), async (c) => {
      if (!shareRules.enabled) throw new AppError('not_found');
      const asker = askerOf(c);
      const body = c.req.valid('json');
      const now = clock.now();
      const expiresAt = now + body.expires_in * 1000;
      if (expiresAt - now > shareRules.longest)
        throw invalid(
          ['body', 'expires_in'],
          `Input should be at most ${Math.floor(shareRules.longest / 1000)}`,
        );
      const thing = findThing(wantedIn(body, now, expiresAt), recordedThings, now);
      const requireSight = ({ rules, allCameras }: Settings) => {
        const media = thing && mediaOf(thing, recordedThings);
        const known = media?.kind === 'camera' ? allCameras() : [];
        const isThere = media?.kind !== 'camera' || known.length === 0 || known.includes(media.camera);
        // Whoever may not see it does not learn either whether it is there.
        if (thing === undefined || media === undefined || !isThere)
          throw new AppError('share_object_unknown');
        if (!maySee(asker, media, thing, rules, clock.now())) throw new AppError('share_object_unknown');
        return thing;
      };
      const found = requireSight(settings);
      if (asker.role !== 'admin') await changeLimit.take('share', asker.user.slice(0, 128));
      const { label, password } = body;
      const wanted = {
        ...found,
        passwordHash: password === undefined ? undefined : await hasher.hash(password),
        label,
        creator: creatorOf(asker),
        expiresAt,
      };
      const permit = permitIf(c.var.permit, requireSight);
      const { share, secret } = await shares.add(wanted, shareRules.mostPerUser, permit);
      const { kind, object, camera } = share;
      await audit.record({
        event: 'share_made',
        ...actorOf(c, settings),
        object: share.id,
        detail: {
          kind,
          ...(object !== undefined && { [kind]: object }),
          camera,
          until: new Date(expiresAt).toISOString(),
        },
      });
      return c.json({ id: share.id, url: `${originOf(c)}/postern/share/${share.id}#${secret}` }, 201);
    })

    .delete('/:id', async (c) => {
      const asker = askerOf(c);
      const found = await shares.find(c.req.param('id'));
      const mayEnd =
        found !== undefined && (asker.role === 'admin' || isCreator(found.creator, creatorOf(asker)));
      if (!mayEnd || !(await shares.end(found.id, c.var.permit))) throw new AppError('share_unknown');
      await audit.record({
        event: 'share_ended',
        ...actorOf(c, settings),
        object: found.id,
        detail: { made_by: found.creator.user },
      });
      return c.body(null, 204);
    });

  /** Where people reach the site; a host that nobody could have meant is left out. */
  function originOf(c: ApiContext): string {
    const { secure, host, prefix } = clientOf(c.env, settings);
    const { publicUrl } = shareRules;
    if (publicUrl !== undefined) return publicUrl + prefix;
    return host !== undefined && isHost(host) ? `${secure ? 'https' : 'http'}://${host}${prefix}` : prefix;
  }
}

export type SharesApi = ReturnType<typeof shareRoutes>;

function askerOf(c: ApiContext): Identity {
  const { identity } = c.var.allowed;
  if (identity === undefined) throw new AppError('unauthenticated');
  return identity;
}

function creatorOf({ user, role, source, token }: Identity): ShareCreator {
  // Whoever has opened a share is nobody here.
  if (source === 'share') throw new AppError('forbidden');
  return { user, role, source, tokenId: token?.id };
}

/** Times are milliseconds since the epoch. @throws ValidationError */
function wantedIn(
  { kind, id, camera, from, until }: InferOutput<typeof newShare>,
  now: number,
  expiresAt: number,
): Wanted {
  if (kind === 'camera') {
    if (id !== undefined) throw invalid(['body', 'id'], 'A camera has a name: camera');
    if (camera === undefined) throw invalid(['body', 'camera'], 'Field required');
    const begin = from === undefined ? now : from * 1000;
    const end = until === undefined ? expiresAt : until * 1000;
    if (begin >= end) throw invalid(['body', 'until'], 'Input should be later than from');
    return { kind, camera, from: begin, until: end };
  }
  for (const [field, value] of Object.entries({ camera, from, until }))
    if (value !== undefined) throw invalid(['body', field], `Only a camera has ${field}`);
  if (id === undefined) throw invalid(['body', 'id'], 'Field required');
  return { kind, object: id };
}
