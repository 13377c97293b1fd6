import { Hono } from 'hono';
import { AppError, errorAnswer } from '../errors.ts';
import { fromHeaderValue } from '../identity-headers.ts';
import { isGranted, type Grant } from '../policy/grant.ts';
import type { Logger } from '../telemetry/logger.ts';
import { validQuery, ValidationError } from '../validation.ts';
import { lookupQuery, recentQuery } from './event-query.ts';
import { toEventRecord, type EventRecord, type EventRow } from './event-record.ts';
import type { RecorderDatabase } from './recorder-database.ts';

export interface EventsDependencies {
  readonly database: RecorderDatabase;
  /** The cameras of a role, by the configuration in force. */
  readonly grantOf: (role: string) => Grant;
  /** Told of each request for what is outside the grant. */
  readonly onRefused: (refused: RefusedLookup) => void;
  readonly logger: Logger;
}

/** Who asked for what, as the gate in front says. */
export interface RefusedLookup {
  readonly user: string | undefined;
  readonly role: string | undefined;
  /** Value of X-Forwarded-For. */
  readonly forwardedFor: string;
  readonly path: string;
}

/**
 * The events app: looks events up and keeps every answer inside the grant of the role that the gate
 * in front of it names in `remote-role`.
 */
export function createEventsApp({ database, grantOf, onRefused, logger }: EventsDependencies) {
  const records = (rows: readonly EventRow[]): EventRecord[] =>
    rows.map((row) =>
      toEventRecord(row, (id, field) =>
        logger.warn({ event: id, field }, 'field of an event cannot be read'),
      ),
    );

  const app = new Hono<{ Variables: { grant: Grant } }>();

  app.use(async (c, next) => {
    const role = c.req.header('remote-role');
    if (!c.req.header('remote-user') || !role) throw new AppError('unauthenticated');
    c.set('grant', grantOf(role));
    await next();
  });

  app.get('/api/event_ids', validQuery(lookupQuery), (c) => {
    const { ids, cameras } = c.req.valid('query');
    const grant = c.var.grant;
    requireGrant(grant, cameras ?? []);
    const found = new Map(database.eventsById(ids).map((row) => [row.id, row]));
    const rows = ids.map((id) => found.get(id)).filter((row) => row !== undefined);
    requireGrant(grant, rows.map(cameraOf));
    return c.json(
      records(cameras === undefined ? rows : rows.filter((row) => cameras.includes(cameraOf(row)))),
    );
  });

  app.get('/api/events', validQuery(recentQuery), (c) => {
    const { cameras, label, before, before_id: beforeId, limit } = c.req.valid('query');
    requireGrant(c.var.grant, cameras ?? []);
    const wanted = cameras === undefined ? c.var.grant : new Set(cameras);
    return c.json(records(database.recentEvents({ cameras: wanted, label, before, beforeId, limit })));
  });

  app.notFound(() => {
    throw new AppError('not_found');
  });
  app.onError((error, c) => {
    if (error instanceof ValidationError) return c.json({ detail: error.detail }, 422);
    const { status, body } = errorAnswer(error);
    if (status === 403)
      onRefused({
        user: fromHeaderValue(c.req.header('remote-user') ?? ''),
        role: c.req.header('remote-role'),
        forwardedFor: c.req.header('x-forwarded-for') ?? '',
        path: c.req.path,
      });
    if (status >= 500) logger.error({ err: error, code: body.code }, 'events app failed');
    return c.json(body, status);
  });
  return app;
}

function requireGrant(grant: Grant, cameras: readonly string[]): void {
  if (!cameras.every((camera) => isGranted(grant, camera))) throw new AppError('forbidden');
}

function cameraOf(row: EventRow): string {
  return String(row.camera);
}
