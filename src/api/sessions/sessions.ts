import { wholeSeconds } from '../../clock.ts';
import type { ChangeLimit } from '../../accounts/change-limit.ts';
import type { Users } from '../../accounts/users.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { ActiveSessions } from '../../sessions/active-sessions.ts';
import type { Settings } from '../../settings/settings.ts';
import { Hono } from 'hono';
import * as v from 'valibot';
import { AppError } from '../../errors.ts';
import { listedSession } from '../../sessions/listed-session.ts';
import type { Place } from '../../sessions/last-seen.ts';
import type { SessionUser } from '../../sessions/session.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { invalid, validQuery } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import { keptQuery } from '../kept.ts';
import { pageLimit, searchText } from '../list-query.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';
import type { SessionCookieHeader } from '../session-cookie-header.ts';

const user = v.optional(v.string());
const limit = v.optional(pageLimit, '100');
const placeForm = v.tuple([v.pipe(v.number(), v.safeInteger()), v.string()]);
const before = v.optional(
  v.pipe(
    v.string(),
    v.description('The `next` of another page.'),
    v.rawTransform(({ dataset, addIssue, NEVER }): Place => {
      const place = placeOf(dataset.value);
      if (place !== undefined) return place;
      addIssue({ message: 'Input should be the next of another page' });
      return NEVER;
    }),
  ),
);

function placeOf(cursor: string): Place | undefined {
  try {
    const parsed = v.safeParse(placeForm, JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return parsed.success ? { lastSeenAt: parsed.output[0] * 1000, id: parsed.output[1] } : undefined;
  } catch {
    return undefined;
  }
}

function cursorOf({ lastSeenAt, id }: Place): string {
  return Buffer.from(JSON.stringify([wholeSeconds(lastSeenAt), id])).toString('base64url');
}

export const listQuery = v.object({ user, search: v.optional(searchText), limit, before });
export const endingQuery = v.object({ user, keep: keptQuery });

export interface SessionsDependencies {
  readonly settings: Settings;
  readonly activeSessions: ActiveSessions;
  readonly users: Pick<Users, 'endSessions'>;
  readonly sessions: Pick<Sessions, 'reissue'>;
  readonly changeLimit: ChangeLimit;
  readonly cookieHeader: SessionCookieHeader;
  readonly audit: Pick<AuditLog, 'record'>;
}

/**
 * `/postern/api/sessions`: one's own, and everybody's for admins. What is somebody else's is answered like what there is not, so
 * that nobody learns of it. Whoever has no session of an account (by a proxy, or on the internal entry point) has no own ones.
 */
export function sessionRoutes(dependencies: SessionsDependencies) {
  const { activeSessions, users, sessions, changeLimit, cookieHeader, settings, audit } = dependencies;

  const isAdmin = (c: ApiContext) => c.var.allowed.identity?.role === 'admin';
  const ownName = (c: ApiContext) => c.var.session?.user.username;
  const ownId = (c: ApiContext) => c.var.session?.claims.sessionId;
  const recordEnd = (c: ApiContext, user: string, detail: AuditEntry['detail']) =>
    audit.record({ event: 'session_ended', ...actorOf(c, settings), object: user, detail });
  const clearCookie = (c: ApiContext) => {
    if (c.var.allowed.identity?.source === 'session') cookieHeader.clear(c);
  };

  /** The session that asks goes on, in a token of the generation that it has made itself, and of no later one. */
  const goOn = async (c: ApiContext, user: SessionUser) => {
    const { session } = c.var;
    const issued = session && (await sessions.reissue({ user, claims: session.claims }));
    if (issued !== undefined) cookieHeader.set(c, issued);
  };

  return new Hono<ApiEnvironment>()
    .get('/', validQuery(listQuery), async (c) => {
      const query = c.req.valid('query');
      const own = ownName(c);
      if (!isAdmin(c) && query.user !== undefined && query.user !== own) throw new AppError('user_unknown');
      const username = isAdmin(c) ? query.user : own;
      if (!isAdmin(c) && username === undefined) return c.json({ sessions: [], next: null });
      const { search, before, limit } = query;
      const page = await activeSessions.list({ username, search, before, limit });
      const current = ownId(c);
      return c.json({
        sessions: page.sessions.map((session) => ({
          ...listedSession(session),
          current: session.id === current,
        })),
        next: page.next === undefined ? null : cursorOf(page.next),
      });
    })

    .delete('/:id', async (c) => {
      const found = await activeSessions.find(c.req.param('id'));
      if (found === undefined || !(isAdmin(c) || found.username === ownName(c)))
        throw new AppError('session_unknown');
      await activeSessions.end(found, c.var.permit);
      if (found.id === ownId(c)) clearCookie(c);
      await recordEnd(c, found.username, { session: found.id });
      return c.body(null, 204);
    })

    .delete('/', validQuery(endingQuery), async (c) => {
      const own = ownName(c);
      const { user: asked, keep } = c.req.valid('query');
      if (asked !== undefined && asked !== own && !isAdmin(c)) throw new AppError('user_unknown');
      const username = asked ?? own;
      if (username === undefined) throw invalid(['query', 'user'], 'Field required');
      if (!isAdmin(c)) await changeLimit.take('own_sessions', username);
      const { user, ended } = await users.endSessions(username, c.var.permit, { keep });
      if (username === own) await goOn(c, user);
      await recordEnd(c, username, ended);
      return c.body(null, 204);
    });
}

export type SessionsApi = ReturnType<typeof sessionRoutes>;
