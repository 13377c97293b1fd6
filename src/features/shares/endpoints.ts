import * as v from 'valibot';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { PasswordHasher } from '../../accounts/users/password-hash.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Identity } from '../../policy/identity.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { listedShare, isCreator, type Shares } from './shares.ts';
import type { ShareUnlock, ShareUnlocks } from './share-unlocks.ts';
import { findThing, shareableBy, mediaOf, type RecordedThings, type Wanted } from './shared-things.ts';
import type { Creator } from '../../access/creator.ts';
import { readIfPossible, type RequestLog } from '../../telemetry/request-log.ts';
import { invalid, strictBody, textOf } from '../../http/validation.ts';
import { actorOf, siteUrl } from '../../api/request.ts';
import { endpoint } from '../../api/endpoint.ts';
import { permitIf } from '../../api/permit.ts';
import type { ApiContext } from '../../api/environment.ts';

const text = v.string('Input should be text');
const whole = v.pipe(v.number('Input should be a number'), v.integer('Input should be a whole number'));
const moment = v.pipe(
  whole,
  v.minValue(1, 'Input should be at least 1'),
  // Ten digits, as recorders write times.
  v.maxValue(9_999_999_999, 'Input should be in seconds'),
  v.description('Seconds since the epoch.'),
);
const labelForm = /^(?! )[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}(?<! )$/u;

const labelWords = 'A label has 1 to 64 printable characters, and no space at its ends';

/** Anyone with the link has 20 guesses an hour, for weeks: `auth.failed_login_rate_limit` would not protect four digits. */
const shortestPassword = 8;

/** The body limits the bytes. */
export const longestPassword = 256;

const newShare = strictBody({
  kind: v.picklist(['event', 'export', 'camera'], 'Input should be event, export or camera'),
  id: v.optional(v.pipe(textOf(1, 64), v.description('Id of the event or the export.'))),
  camera: v.optional(textOf(1, 128)),
  from: v.optional(moment),
  until: v.optional(moment),
  expires_in: v.pipe(
    whole,
    v.minValue(60, 'Input should be at least 60'),
    v.description('Seconds; at most `shares.longest`.'),
  ),
  password: v.optional(textOf(shortestPassword, longestPassword)),
  label: v.optional(
    v.pipe(
      text,
      v.check((label) => labelForm.test(label), labelWords),
      v.description(`${labelWords}.`),
    ),
  ),
});

/** Times are milliseconds since the epoch. @throws ValidationError */
function wantedIn(
  { kind, id, camera, from, until }: v.InferOutput<typeof newShare>,
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

/** Settings of shares in config.yml. */
interface ShareRules {
  readonly enabled: boolean;
  /** Milliseconds that a share may last. */
  readonly longest: number;
  readonly mostPerUser: number;
  /** Origin of the site. Omit for the one that the creator uses. */
  readonly publicUrl: string | undefined;
}

const seconds = (meaning: string) =>
  v.pipe(v.number(), v.description(`Seconds since the epoch: ${meaning}.`));
export const shown = {
  kind: v.picklist(['event', 'export', 'camera']),
  cameras: v.pipe(v.array(v.string()), v.description('The cameras that it shows.')),
  label: v.nullable(v.string()),
  from: seconds('it shows recordings from then on; for an event or an export, its start'),
  until: seconds('it shows recordings until then'),
  expires_at: seconds('the link is valid until then'),
};
const listed = v.strictObject({
  id: v.string(),
  ...shown,
  event: v.exactOptional(v.pipe(v.string(), v.description('Id of the event.'))),
  export: v.exactOptional(v.pipe(v.string(), v.description('Id of the export.'))),
  camera: v.exactOptional(v.pipe(v.string(), v.description('Name of the camera.'))),
  has_password: v.boolean(),
  made_by: v.string(),
  made_at: v.number(),
  openings: v.pipe(v.number(), v.description('How often it was opened.')),
  last_opened_at: v.nullable(v.number()),
});

const listQuery = v.object({ own: v.optional(v.string('Input should be text')) });

interface SharesDependencies {
  readonly settings: Settings;
  readonly shares: Shares;
  readonly shareUnlocks: Pick<ShareUnlocks, 'list'>;
  readonly shareRules: ShareRules;
  readonly recordedThings: RecordedThings;
  readonly changeLimit: ChangeLimit;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: RequestLog;
  readonly clock: Clock;
}

export const listShares = endpoint({
  method: 'get',
  path: '/postern/api/shares',
  level: 'own-account',
  tag: 'Shares',
  summary: 'List your shares',
  description:
    'Admins get those of all users, or with `own` only theirs. An API token gets those that it has made. Expired shares are not listed.',
  query: listQuery,
  queryParameters: { own: 'With any value: only your own.' },
  answers: { 200: { meaning: 'The newest come first.', body: v.array(listed) } },
  handle:
    ({ shares, shareUnlocks, logger }: SharesDependencies) =>
    async (c) => {
      const asker = askerOf(c);
      const isForAll = asker.role === 'admin' && c.req.valid('query').own === undefined;
      const found = await shares.list(isForAll ? 'all' : creatorOf(asker));
      const opened = await openingsOf(shareUnlocks, logger);
      return found.map((share) => listedShare(share, opened.get(share.id)));
    },
});

export const makeShare = endpoint({
  method: 'post',
  path: '/postern/api/shares',
  level: 'own-account',
  may: 'share',
  tag: 'Shares',
  summary: 'Share an event, an export or a camera',
  description:
    'Anyone with the link sees it, without an account, as long as its creator may see and share it; the role needs `share`. For an event or an export, `id` names it. For a camera, `from` and `until` limit its recordings; live pictures are included during that time. Without them it is the time from now until the link expires.',
  body: newShare,
  bodyExample: {
    kind: 'event',
    id: '1793000276.376447-de8gxd',
    expires_in: 604_800,
    label: 'For the police',
  },
  answers: {
    201: {
      meaning: 'Made. Only this answer has `url`: its fragment has the secret.',
      body: v.strictObject({ id: v.string(), url: v.string() }),
    },
    404: { meaning: 'There is nothing that you may see by this id or name, or shares are turned off.' },
    409: { meaning: 'There are too many already (`shares.most_per_user`).' },
    429: {
      meaning: 'A user who is not an admin made 60 within an hour, or Postern is too busy for a hash.',
    },
  },
  handle:
    ({
      settings,
      shares,
      shareRules,
      recordedThings,
      changeLimit,
      hasher,
      audit,
      clock,
    }: SharesDependencies) =>
    async (c) => {
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
        // Users who may not see an event must not learn whether it exists.
        if (thing === undefined || media === undefined || !isThere)
          throw new AppError('share_object_unknown');
        if (shareableBy(asker, { media, camera: thing.camera }, rules, clock.now()) === undefined)
          throw new AppError('share_object_unknown');
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
      return {
        id: share.id,
        url: `${siteUrl(c, settings, shareRules.publicUrl)}/postern/share/${share.id}#${secret}`,
      };
    },
});

export const endShare = endpoint({
  method: 'delete',
  path: '/postern/api/shares/:id',
  level: 'own-account',
  tag: 'Shares',
  summary: 'End a share',
  pathParameters: { id: 'Id of the share.' },
  answers: {
    204: {
      meaning: 'Ended: it is rejected from the next request on, and open streams of it are cut.',
    },
    404: { meaning: 'There is no such share, or it belongs to someone else.' },
  },
  handle:
    ({ settings, shares, audit }: SharesDependencies) =>
    async (c) => {
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
    },
});

function askerOf(c: ApiContext): Identity {
  const { identity } = c.var.allowed;
  if (identity === undefined) throw new AppError('unauthenticated');
  return identity;
}

function creatorOf({ user, role, source, token }: Identity): Creator {
  // Neither a visitor by a share nor a screen has an account.
  if (source === 'share' || source === 'display') throw new AppError('forbidden');
  return { user, role, source, tokenId: token?.id };
}

/** A failure to read the counters must not prevent the end of a share. */
export async function openingsOf(
  openings: SharesDependencies['shareUnlocks'],
  logger: RequestLog,
): Promise<ReadonlyMap<string, ShareUnlock>> {
  return (
    (await readIfPossible(openings.list(), logger, 'how often shares were opened cannot be read')) ??
    new Map()
  );
}
