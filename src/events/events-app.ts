import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { IncomingMessage } from 'node:http';
import { compressedJson } from '../http/compress-answers.ts';
import { AppError, errorAnswer, isStateLogged } from '../errors.ts';
import { fromHeaderValue } from '../policy/identity-headers.ts';
import { tooManyIds } from '../policy/event-ids.ts';
import { isGranted, type Grant } from '../policy/grant.ts';
import type { RoundRobin, Sliced } from '../round-robin.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { validQuery, ValidationError } from '../http/validation.ts';
import { atMostIds, lookupQuery, recentQuery } from './event-query.ts';
import { searchEvents, type NextPlace } from './event-search.ts';
import type { RecorderDatabase } from './recorder-database.ts';
import { sampleCameras, eventFile, latestPicture, movingPicture } from './sample.ts';
import { toEventJson } from './event-record.ts';

interface EventsDependencies {
  readonly database: RecorderDatabase;
  readonly roundRobin: RoundRobin;
  /** The current cameras of a role. */
  readonly grantOf: (role: string) => Grant | Promise<Grant>;
  /** Called for each request outside the grant. */
  readonly onRefused: (refused: RefusedLookup) => void;
  /** The error page for a browser that navigates. Absent for all other clients, which get JSON. */
  readonly errorPage?: (error: AppError, request: IncomingMessage) => Response | undefined;
  /** Its pictures and clips, in place of a recorder's. */
  readonly sample?: {
    readonly isServed: () => boolean;
    /** Milliseconds since the epoch. */
    readonly now: () => number;
  };
  readonly logger: Pick<RequestLog, 'warn' | 'error'>;
}

/** A refused request, as described by the gate in front. */
export interface RefusedLookup {
  readonly user: string | undefined;
  readonly role: string | undefined;
  /** Value of X-Forwarded-For. */
  readonly forwardedFor: string;
  readonly path: string;
}

/** Requests of one user under way. The app refuses more, because each waits for the others. */
const mostUnderWay = 64;

/**
 * The events app: looks up events, and limits every response to the grant of the role that the gate in front of it sends in
 * `remote-role`.
 */
export function createEventsApp({
  database,
  roundRobin,
  grantOf,
  onRefused,
  errorPage,
  sample,
  logger,
}: EventsDependencies) {
  const onBadField = (id: string, field: string) =>
    logger.warn({ event: id, field }, 'field of an event cannot be read');

  const app = new Hono<{
    Bindings: HttpBindings;
    Variables: { grant: Grant; run: <T>(work: Sliced<T>) => Promise<T> };
  }>();

  app.use(async (c, next) => {
    const user = c.req.header('remote-user');
    const role = c.req.header('remote-role');
    if (!user || !role) throw new AppError('unauthenticated');
    if (roundRobin.underWay(user) >= mostUnderWay)
      throw new AppError('too_many_requests', { retryAfterSeconds: 1 });
    c.set('grant', await grantOf(role));
    c.set('run', (work) => roundRobin.run(user, work));
    // Asks clients not to request pictures and clips of the events.
    if (sample?.isServed() !== true) c.header('x-postern-media', 'none');
    await next();
  });

  app.get('/api/event_ids', async (c, next) => {
    if (c.req.query(tooManyIds) === undefined) return next();
    throw new ValidationError([{ loc: ['query', 'ids'], msg: atMostIds, type: 'max_length' }]);
  });
  app.get('/api/event_ids', validQuery(lookupQuery), async (c) => {
    const { ids, cameras } = c.req.valid('query');
    const { grant, run } = c.var;
    requireGrant(grant, cameras);
    const wanted = cameras === undefined ? 'all' : new Set(cameras);
    return compressedJson(c, await run(readEvents(ids, { database, grant, cameras: wanted, onBadField })));
  });

  app.get('/api/events', validQuery(recentQuery), async (c) => {
    const query = c.req.valid('query');
    const { cameras, labels, after, before, before_id: beforeId, limit } = query;
    const thumbnails = query.include_thumbnails === '1';
    const { grant, run } = c.var;
    requireGrant(grant, cameras);
    const wanted = cameras === undefined ? grant : new Set(cameras);
    const { ids, next } = await run(
      searchEvents(database, { cameras: wanted, labels, after, before, beforeId, limit }),
    );
    if (next !== undefined) c.header('link', linkToNext(c.req.url, next));
    return compressedJson(c, await run(readEvents(ids, { database, grant, thumbnails, onBadField })));
  });

  // A recorder's paths, which our documents leave out.
  if (sample !== undefined) {
    const cameraOf = (camera: string | undefined, grant: Grant): string => {
      if (!sample.isServed() || camera === undefined) throw new AppError('not_found');
      requireGrant(grant, [camera]);
      return camera;
    };
    const known = (camera: string) => (sampleCameras.has(camera) ? camera : undefined);
    app.get('/api/events/:id/:file', async (c) => {
      const { id, file } = c.req.param();
      cameraOf(database.camerasOfEvents([id]).get(id), c.var.grant);
      return (await eventFile(id, file, c.req.header('range'))) ?? c.notFound();
    });
    app.get('/api/:camera/:picture{latest\\.(?:jpe?g|png|webp)}', (c) =>
      latestPicture(cameraOf(known(c.req.param('camera')), c.var.grant), sample.now()),
    );
    app.get('/api/:camera', (c) =>
      movingPicture(cameraOf(known(c.req.param('camera')), c.var.grant), sample.now),
    );
  }

  app.notFound(() => {
    throw new AppError('not_found');
  });
  app.onError((error, c) => {
    // As recorders answer it, without a message.
    if (error instanceof ValidationError) return c.json({ detail: error.body.detail }, 422);
    const { status, headers, body } = errorAnswer(error);
    if (status === 403)
      onRefused({
        user: fromHeaderValue(c.req.header('remote-user') ?? ''),
        role: c.req.header('remote-role'),
        forwardedFor: c.req.header('x-forwarded-for') ?? '',
        path: c.req.path,
      });
    if (status >= 500 && !isStateLogged(error))
      logger.error({ err: error, code: body.code }, 'events app failed');
    const page = error instanceof AppError ? errorPage?.(error, c.env.incoming) : undefined;
    if (page !== undefined) return page;
    return c.json(body, status, headers);
  });
  return app;
}

function requireGrant(grant: Grant, cameras: readonly string[] = []): void {
  if (!cameras.every((camera) => isGranted(grant, camera))) throw new AppError('forbidden');
}

/** RFC 8288. Relative, because a front may have removed a prefix from the path. */
function linkToNext(url: string, { before, beforeId }: NextPlace): string {
  const query = new URL(url).searchParams;
  query.set('before', before);
  query.delete('before_id');
  if (beforeId !== undefined) query.set('before_id', beforeId);
  return `<?${query.toString()}>; rel="next"`;
}

interface Reading {
  readonly database: Pick<RecorderDatabase, 'eventsById'>;
  readonly grant: Grant;
  /** Only events of these cameras. */
  readonly cameras?: Grant;
  /** Whether records have their thumbnails; otherwise these are null. */
  readonly thumbnails?: boolean;
  /** Called for every unreadable field. */
  readonly onBadField: (id: string, field: string) => void;
}

/** Events that are read in one slice: a fraction of a millisecond. */
const readAtOnce = 25;

/**
 * Reads events in the order of their ids, without those that do not exist.
 * @returns a JSON array of their records
 * @throws AppError `forbidden` when any of them is outside the grant
 */
function* readEvents(ids: readonly string[], reading: Reading): Sliced<string> {
  const { database, grant, cameras = 'all', thumbnails = true, onBadField } = reading;
  const records: string[] = [];
  for (let from = 0; from < ids.length; from += readAtOnce) {
    if (from > 0) yield;
    const wanted = ids.slice(from, from + readAtOnce);
    const found = new Map(database.eventsById(wanted).map((row) => [row.id, row]));
    for (const id of wanted) {
      const row = found.get(id);
      if (row === undefined) continue;
      const camera = String(row.camera);
      if (!isGranted(grant, camera)) throw new AppError('forbidden');
      if (!isGranted(cameras, camera)) continue;
      const shown = thumbnails ? row : { ...row, thumbnail: null };
      records.push(toEventJson(shown, onBadField));
    }
  }
  return `[${records.join(',')}]`;
}
