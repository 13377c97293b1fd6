import * as v from 'valibot';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { Users } from '../../accounts/users/users.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import { wholeSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { type ActiveSessions, listedSession } from '../../accounts/sessions/active-sessions.ts';
import type { Place } from '../../accounts/sessions/last-seen.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { invalid } from '../../http/validation.ts';
import { type SessionCookieHeader, actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import { keptMeaning, keptQuery, pageLimit, searchText } from '../query.ts';
import type { ApiContext } from '../environment.ts';

const user = v.optional(v.string());
const limit = v.optional(pageLimit, '100');
const placeForm = v.tuple([v.pipe(v.number(), v.safeInteger()), v.string()]);
const before = v.optional(
  v.pipe(
    v.string(),
    v.description('The `next` of the previous page.'),
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

const listQuery = v.object({ user, search: v.optional(searchText), limit, before });
const endingQuery = v.object({ user, keep: keptQuery });

const moment = v.pipe(v.number(), v.description('Seconds since the epoch.'));
const session = v.strictObject({
  id: v.string(),
  username: v.string(),
  began_at: moment,
  last_seen_at: moment,
  expires_at: moment,
  address: v.pipe(v.nullable(v.string()), v.description('Address of the client at its last request.')),
  agent: v.pipe(v.nullable(v.string()), v.description('User agent of the client at its last request.')),
  current: v.pipe(v.boolean(), v.description('Whether it is your current session.')),
});
const noneOfYours = 'There is no such session, or it belongs to someone else.';

export interface SessionsDependencies {
  readonly settings: Settings;
  readonly activeSessions: ActiveSessions;
  readonly users: Pick<Users, 'endSessions'>;
  readonly sessions: Pick<Sessions, 'reissue'>;
  readonly changeLimit: ChangeLimit;
  readonly cookieHeader: SessionCookieHeader;
  readonly audit: Pick<AuditLog, 'record'>;
}

/*
 * Your own sessions, and everyone's for admins. A session of another user is answered like one that does not exist, so that
 * no one learns of it. Users without a session of an account (by a proxy, or on the internal entry point) have no sessions
 * here.
 */

export const listSessions = endpoint({
  method: 'get',
  path: '/postern/api/sessions',
  level: 'own-account',
  requiresSession: true,
  tag: 'Sessions',
  summary: 'List your sessions',
  description: 'Admins get those of all users. Those seen last come first.',
  query: listQuery,
  queryParameters: {
    user: 'Of this user only.',
    search: 'Each word has to be part of the user, the address or the client; not case-sensitive.',
    limit: '1 to 500.',
    before: 'The `next` of the previous page.',
  },
  answers: {
    200: {
      meaning: 'A page; it may have fewer sessions than `limit`.',
      body: v.strictObject({
        sessions: v.array(session),
        next: v.pipe(v.nullable(v.string()), v.description('`before` of the next page.')),
      }),
    },
    404: { meaning: 'There is no such user, or it is not you.' },
    503: { meaning: 'The last use of sessions cannot be read.' },
  },
  handle:
    ({ activeSessions }: SessionsDependencies) =>
    async (c) => {
      const query = c.req.valid('query');
      const own = ownName(c);
      if (!isAdmin(c) && query.user !== undefined && query.user !== own) throw new AppError('user_unknown');
      const username = isAdmin(c) ? query.user : own;
      if (!isAdmin(c) && username === undefined) return { sessions: [], next: null };
      const { search, before, limit } = query;
      const page = await activeSessions.list({ username, search, before, limit });
      const current = ownId(c);
      return {
        sessions: page.sessions.map((session) => ({
          ...listedSession(session),
          current: session.id === current,
        })),
        next: page.next === undefined ? null : cursorOf(page.next),
      };
    },
});

export const endSession = endpoint({
  method: 'delete',
  path: '/postern/api/sessions/:id',
  level: 'own-account',
  requiresSession: true,
  tag: 'Sessions',
  summary: 'End a session',
  pathParameters: { id: 'Id of the session.' },
  answers: {
    204: { meaning: 'It is rejected from the next request on.' },
    404: { meaning: noneOfYours },
    503: { meaning: 'The last use of sessions cannot be read.' },
  },
  handle:
    ({ activeSessions, cookieHeader, settings, audit }: SessionsDependencies) =>
    async (c) => {
      const found = await activeSessions.find(c.req.param('id'));
      if (found === undefined || !(isAdmin(c) || found.username === ownName(c)))
        throw new AppError('session_unknown');
      await activeSessions.end(found, c.var.permit);
      if (found.id === ownId(c) && c.var.allowed.identity?.source === 'session') cookieHeader.clear(c);
      await audit.record({
        event: 'session_ended',
        ...actorOf(c, settings),
        object: found.username,
        detail: { session: found.id },
      });
    },
});

export const endSessions = endpoint({
  method: 'delete',
  path: '/postern/api/sessions',
  level: 'own-account',
  requiresSession: true,
  tag: 'Sessions',
  summary: 'End all sessions of a user',
  description:
    'Without `user`, or with your own name: all of yours except the current one, which gets a new token in `Set-Cookie`. The API tokens and shares of the user end too, except those that `keep` names.',
  query: endingQuery,
  queryParameters: {
    user: 'Whose sessions; for admins.',
    keep: keptMeaning,
  },
  answers: {
    204: { meaning: 'They are rejected from the next request on.' },
    404: { meaning: 'There is no such user, or it is not you.' },
    429: { meaning: 'A user who is not an admin did this 20 times within a minute.' },
  },
  handle:
    ({ users, sessions, changeLimit, cookieHeader, settings, audit }: SessionsDependencies) =>
    async (c) => {
      const own = ownName(c);
      const { user: asked, keep } = c.req.valid('query');
      if (asked !== undefined && asked !== own && !isAdmin(c)) throw new AppError('user_unknown');
      const username = asked ?? own;
      if (username === undefined) throw invalid(['query', 'user'], 'Field required');
      if (!isAdmin(c)) await changeLimit.take('own_sessions', username);
      const { user, ended } = await users.endSessions(username, c.var.permit, { keep });
      const { session } = c.var;
      if (username === own && session !== undefined) {
        // The current session continues, with a token of exactly the generation that this change made.
        const issued = await sessions.reissue({ user, claims: session.claims });
        if (issued !== undefined) cookieHeader.set(c, issued);
      }
      await audit.record({
        event: 'session_ended',
        ...actorOf(c, settings),
        object: username,
        detail: ended,
      });
    },
});

function isAdmin(c: ApiContext): boolean {
  return c.var.allowed.identity?.role === 'admin';
}

function ownName(c: ApiContext): string | undefined {
  return c.var.session?.user.username;
}

function ownId(c: ApiContext): string | undefined {
  return c.var.session?.claims.sessionId;
}
