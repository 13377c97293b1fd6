import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import type { ListedStream } from '../../access/streams/listed-stream.ts';
import type { ListedSession } from '../../accounts/sessions/active-sessions.ts';
import type { KeptStop } from '../../accounts/stops.ts';
import { listedUser, type User, type UserDetails } from '../../accounts/users/user-list.ts';
import type { findLastWatched } from '../../audit/viewing.ts';
import { wholeSeconds } from '../../clock.ts';
import { schedule } from '../../config/role-access.ts';
import { scheduleAt, turnOf, type Schedule } from '../../policy/schedule.ts';
import { accessInOneLine, accessNow, grant, roleNow, shownGrant } from './grant.ts';
import {
  invitation,
  personDisplay,
  personShare,
  personToken,
  type InvitedPerson,
  type PeopleParts,
} from './parts.ts';

const moment = v.pipe(v.number(), v.description('Seconds since the epoch.'));
const text = v.nullable(v.string());

export const person = v.strictObject({
  name: v.pipe(text, v.description('Null: only of an invitation that proposes no name.')),
  state: v.pipe(
    v.picklist(['active', 'blocked', 'stopped', 'invited']),
    v.description(
      '`stopped`: an admin has stopped everything of the account for a time; `invited`: has not accepted the invitation yet.',
    ),
  ),
  role: v.string(),
  own_role: v.pipe(v.boolean(), v.description('The role was made for this person; no list has it.')),
  role_in_words: v.pipe(v.string(), v.description('What the role gives, in one line.')),
  same_role: v.pipe(
    v.strictObject({ others: v.number(), names: v.array(v.string()) }),
    v.description('How many others have the role, invited people too, and the names of the first three.'),
  ),
  grant,
  schedule: v.pipe(v.nullable(schedule), v.description('Null: always.')),
  schedule_now: v.pipe(
    v.nullable(v.strictObject({ is_open: v.boolean(), turns: v.nullable(moment) })),
    v.description('Whether the schedule is open now, and when it opens or closes next. Null: always open.'),
  ),
  zone: v.pipe(v.string(), v.description('The time zone of the schedule.')),
  account: v.pipe(
    v.nullable(
      v.strictObject({
        provider: text,
        provider_label: text,
        role_reason: text,
        blocked: v.nullable(v.picklist(['admin', 'provider'])),
        created_at: moment,
        last_login: v.nullable(moment),
        second_factors: v.array(v.picklist(['passkey', 'one_time_code'])),
        email: v.pipe(text, v.description('Where alerts of the account go; null: nowhere.')),
      }),
    ),
    v.description('As in `GET /postern/api/users`. Null: has not accepted the invitation yet.'),
  ),
  invited: v.optional(
    v.pipe(
      v.nullable(invitation),
      v.description('The open invitation; null: the person has an account. Absent without invitations.'),
    ),
  ),
  stops: v.pipe(
    v.array(
      v.strictObject({
        id: v.string(),
        cameras: v.pipe(v.nullable(v.array(v.string())), v.description('Null: all.')),
        session: v.pipe(text, v.description('Null: all.')),
        until: moment,
      }),
    ),
    v.description('What admins have stopped for a time.'),
  ),
  devices: v.pipe(
    v.nullable(
      v.array(
        v.strictObject({
          id: v.string(),
          began_at: moment,
          last_seen_at: moment,
          expires_at: moment,
          address: text,
          agent: text,
          current: v.pipe(v.boolean(), v.description('Whether it is your current session.')),
          pushes: v.optional(
            v.pipe(
              v.boolean(),
              v.description('Whether it gets a text for each alert of the cameras. Absent without pushes.'),
            ),
          ),
        }),
      ),
    ),
    v.description('Sessions, those seen last first. Null: they cannot be read now.'),
  ),
  displays: v.optional(v.array(personDisplay)),
  shares: v.optional(v.array(personShare)),
  tokens: v.optional(v.array(personToken)),
  watched: v.strictObject({
    now: v.pipe(
      v.array(
        v.strictObject({
          stream: v.pipe(v.string(), v.description('Id in `/postern/api/streams`.')),
          page: v.picklist(['home', 'live', 'recording', 'other']),
          cameras: v.array(v.string()),
          since: moment,
          agent: text,
        }),
      ),
      v.description('What is open in sessions of the person, the oldest first.'),
    ),
    last: v.optional(
      v.pipe(
        v.nullable(
          v.strictObject({
            camera: v.string(),
            kind: v.picklist(['live', 'recorded']),
            from: moment,
            to: moment,
          }),
        ),
        v.description('What they watched last; null: nothing that is known. Absent without `audit.viewing`.'),
      ),
    ),
  }),
});
type Person = v.InferOutput<typeof person>;

/** Everything that is known of people, read together. */
interface Known {
  readonly settings: Pick<Settings, 'rules' | 'defined' | 'allCameras' | 'zone' | 'issuer' | 'providerLabel'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The session of the one who asks. */
  readonly session: string | undefined;
  /** Roles made for one person. */
  readonly personal: ReadonlySet<string>;
  /** Everyone with an account. */
  readonly everyone: readonly User[];
  readonly stops: readonly KeptStop[];
  readonly streams: readonly ListedStream[];
  /** Milliseconds since the epoch, by name. */
  readonly logins: ReadonlyMap<string, number>;
  /** By name; absent when they cannot be read. */
  readonly devices: ReadonlyMap<string, readonly ListedSession[]> | undefined;
  /** Absent when it cannot be read, or is not recorded. */
  readonly watched: Awaited<ReturnType<typeof findLastWatched>> | undefined;
  readonly recordsViewing: boolean;
  readonly parts: PeopleParts;
}

/** @returns the entries of these accounts and invitations, by name; those without one last */
export function peopleOf(
  accounts: readonly UserDetails[],
  invited: readonly InvitedPerson[],
  known: Known,
): Person[] {
  const othersOf = othersWithRole(known);
  return [
    ...accounts.map((account) => accountEntry(account, othersOf, known)),
    ...invited.map((one) => invitedEntry(one, othersOf, known)),
  ].toSorted((one, other) => inOrder(one.name, other.name));
}

function inOrder(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
}

type OthersWithRole = (role: string, name: string | undefined) => Person['same_role'];

const mostNames = 3;

function othersWithRole({ everyone, parts: { invited = [] } }: Known): OthersWithRole {
  const holders = [
    ...everyone.map(({ username, role }) => ({ name: username as string | undefined, role })),
    ...invited,
  ];
  const names = Map.groupBy(holders, ({ role }) => role);
  return (role, name) => {
    const others = (names.get(role) ?? []).map((one) => one.name);
    const self = others.indexOf(name);
    if (self >= 0) others.splice(self, 1);
    return {
      others: others.length,
      names: others.filter((one) => one !== undefined).slice(0, mostNames),
    };
  };
}

function accountEntry(user: UserDetails, othersOf: OthersWithRole, known: Known): Person {
  const { username: name, role, blocked, createdAt } = user;
  const { settings, session, devices, parts } = known;
  const stops = known.stops.filter((stop) => stop.kind === 'account' && stop.name === name);
  const isStopped = stops.some((stop) => stop.session === undefined && stop.cameras === undefined);
  const { issuer, providerLabel: label } = settings;
  const { provider, provider_label, role_reason, last_login, second_factors } = listedUser(
    user,
    known.logins.get(name),
    { issuer, label },
  );
  return {
    name,
    state: blocked === undefined ? (isStopped ? 'stopped' : 'active') : 'blocked',
    ...accessOfPerson(role, known),
    same_role: othersOf(role, name),
    account: {
      provider,
      provider_label,
      role_reason,
      blocked: blocked ?? null,
      created_at: wholeSeconds(createdAt),
      last_login,
      second_factors: [...second_factors],
      email: user.email ?? null,
    },
    ...(parts.invited && { invited: null }),
    stops: stops.map(({ id, cameras: only, session: one, until }) => ({
      id,
      cameras: only === undefined ? null : [...only],
      session: one ?? null,
      until: wholeSeconds(until),
    })),
    devices:
      devices === undefined
        ? null
        : (devices.get(name) ?? []).map(({ id, began_at, last_seen_at, expires_at, address, agent }) => ({
            id,
            began_at,
            last_seen_at,
            expires_at,
            address,
            agent,
            current: id === session,
            pushes: parts.pushes?.has(id),
          })),
    ...given(name, parts),
    watched: { now: watchingNow(name, known.streams), ...lastWatched(name, createdAt, known) },
  };
}

function invitedEntry(one: InvitedPerson, othersOf: OthersWithRole, known: Known): Person {
  const { name, role } = one;
  return {
    name: name ?? null,
    state: 'invited',
    ...accessOfPerson(role, known),
    same_role: othersOf(role, name),
    account: null,
    invited: one.invitation,
    stops: [],
    devices: [],
    ...given(undefined, known.parts),
    watched: { now: [], ...(known.recordsViewing && { last: null }) },
  };
}

function accessOfPerson(role: string, { settings, now, personal }: Known) {
  const access = accessNow(role, settings);
  const { zone } = settings;
  return {
    role,
    own_role: personal.has(role),
    role_in_words: accessInOneLine(access),
    grant: shownGrant(settings.defined.definitions.get(roleNow(role, settings)), access, settings),
    schedule: access.schedule ?? null,
    schedule_now: access.schedule === undefined ? null : scheduleNow(access.schedule, now, zone),
    zone,
  };
}

function scheduleNow(when: Schedule, now: number, zone: string): Person['schedule_now'] {
  const turns = turnOf(when, now, zone);
  return {
    is_open: scheduleAt(when, now, zone).isOpen,
    turns: turns === undefined ? null : wholeSeconds(turns),
  };
}

/** Takes the person's part of each feature that is on. @param name absent without an account */
function given(name: string | undefined, { displays, shares, tokens }: PeopleParts) {
  const of = <T>(all: ReadonlyMap<string, readonly T[]>) => [
    ...(name === undefined ? [] : (all.get(name) ?? [])),
  ];
  return {
    ...(displays && { displays: of(displays) }),
    ...(shares && { shares: of(shares) }),
    ...(tokens && { tokens: of(tokens) }),
  };
}

/** A proxy's user may have the same name. */
const bySession: ReadonlySet<string | undefined> = new Set(['session', 'bearer']);

function watchingNow(name: string, streams: readonly ListedStream[]): Person['watched']['now'] {
  return streams
    .filter(({ user, source }) => user === name && bySession.has(source))
    .toSorted((one, other) => one.since - other.since)
    .flatMap(({ id, kind, page, cameras, since, agent = null }) =>
      page === 'updates' || (page === 'other' && kind !== 'pictures')
        ? []
        : [{ stream: id, page, cameras: [...cameras], since: wholeSeconds(since), agent }],
    );
}

function lastWatched(
  name: string,
  createdAt: number,
  { watched, recordsViewing }: Known,
): Pick<Person['watched'], 'last'> {
  if (!recordsViewing) return {};
  const last = watched?.get(name);
  // Another user may have had the name before.
  if (last === undefined || last.began_at < wholeSeconds(createdAt)) return { last: null };
  const { camera, kind, began_at: from, ended_at: to } = last;
  return { last: { camera, kind: kind === 'live' ? 'live' : 'recorded', from, to } };
}
