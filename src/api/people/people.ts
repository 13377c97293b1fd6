import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import type { StreamsOfGate } from '../../access/streams/listed-stream.ts';
import { listedSession, type ActiveSessions } from '../../accounts/sessions/active-sessions.ts';
import type { Stops } from '../../accounts/stops.ts';
import { readPersonalRoles } from '../../accounts/users/personal-roles.ts';
import type { Users } from '../../accounts/users/users.ts';
import type { LastLogins } from '../../audit/last-logins.ts';
import type { findLastWatched } from '../../audit/viewing.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Reading } from '../../store/permit.ts';
import { readIfPossible, type RequestLog } from '../../telemetry/request-log.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';
import { usernameParameter } from '../users/users.ts';
import { peopleOf, person } from './entry.ts';
import { readParts, type ReadPeopleParts } from './parts.ts';

export interface PeopleDependencies {
  readonly settings: Settings;
  readonly users: Pick<Users, 'list' | 'listDetails' | 'findTogether'>;
  readonly activeSessions: Pick<ActiveSessions, 'listOf'>;
  readonly streamsOfGate: Pick<StreamsOfGate, 'list'>;
  readonly stops: Pick<Stops, 'list'>;
  readonly lastLogins: LastLogins;
  /** Absent when the audit doesn't record what people watch. */
  readonly findLastWatched: ((names: readonly string[]) => ReturnType<typeof findLastWatched>) | undefined;
  readonly ofPeople: readonly ReadPeopleParts[];
  /** Loads the current roles. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
  readonly read: Reading;
  readonly clock: Clock;
  readonly logger: RequestLog;
}

const forAdmins = { level: 'admin-only', requiresSession: true, tag: 'People' } as const;

export const listPeople = endpoint({
  method: 'get',
  path: '/postern/api/people',
  ...forAdmins,
  summary: 'List the people',
  description:
    'Everyone with an account, and everyone with an open invitation: what they may see and do, and what they have. Parts of features that are off are absent.',
  answers: { 200: { meaning: 'People, by name.', body: v.array(person) } },
  handle: (dependencies: PeopleDependencies) => (c) => readPeople(c, undefined, dependencies),
});

export const showPerson = endpoint({
  method: 'get',
  path: '/postern/api/people/:username',
  ...forAdmins,
  summary: 'Show a person',
  description: 'An account, or else the newest open invitation that proposes this name.',
  pathParameters: usernameParameter,
  answers: {
    200: { meaning: 'The person.', body: person },
    404: { meaning: 'There is no such user, and no open invitation for one.' },
  },
  handle: (dependencies: PeopleDependencies) => async (c) => {
    const [found] = await readPeople(c, c.req.param('username'), dependencies);
    if (found === undefined) throw new AppError('user_unknown');
    return found;
  },
});

/** A few queries, however many people there are. @param username the only person, or undefined for everyone */
async function readPeople(c: ApiContext, username: string | undefined, dependencies: PeopleDependencies) {
  const { settings, users, activeSessions, streamsOfGate, stops, read, clock } = dependencies;
  const { lastLogins, findLastWatched, ofPeople, requireCurrentRoles } = dependencies;
  await requireCurrentRoles();
  const [accounts, everyone, parts] = await Promise.all([
    users.listDetails({ username }),
    users.list(),
    readParts(ofPeople, username),
  ]);
  const invited = (parts.invited ?? []).filter(({ name }) => username === undefined || name === username);
  const [newest] = invited;
  const shownInvited =
    username === undefined ? invited : accounts.length > 0 || newest === undefined ? [] : [newest];
  const names = accounts.map(({ username: name }) => name);
  // Activity that cannot be read must not keep admins from seeing people.
  const orNone = <T>(reading: Promise<T>) =>
    readIfPossible(reading, dependencies.logger, 'could not read what people do');
  const [devices, watched, logins, streams, stopped, personal] = await Promise.all([
    orNone(sessionsOf(names, users, activeSessions)),
    findLastWatched && orNone(findLastWatched(names)),
    orNone(lastLogins(names)),
    streamsOfGate.list(),
    stops.list(),
    readPersonalRoles(read),
  ]);
  return peopleOf(accounts, shownInvited, {
    settings,
    now: clock.now(),
    session: c.var.session?.claims.sessionId,
    personal,
    everyone,
    stops: stopped,
    streams,
    logins: logins ?? new Map(),
    devices: devices && Map.groupBy(devices, (session) => session.username),
    watched,
    recordsViewing: findLastWatched !== undefined,
    parts,
  });
}

async function sessionsOf(
  names: readonly string[],
  users: Pick<Users, 'findTogether'>,
  activeSessions: Pick<ActiveSessions, 'listOf'>,
) {
  const owners = await Promise.all(names.map((name) => users.findTogether(name)));
  const found = owners.filter((owner) => owner !== undefined);
  if (found.length === 0) return [];
  const sessions = await activeSessions.listOf(new Map(found.map((owner) => [owner.username, owner])));
  return sessions.map(listedSession);
}
