import * as v from 'valibot';
import { lacksSecondFactor } from '../../access/authentication/session-token.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { readPersonalRoles } from '../../accounts/users/personal-roles.ts';
import type { UserList } from '../../accounts/users/user-list.ts';
import type { Users } from '../../accounts/users/users.ts';
import { type Clock, wholeSeconds } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { invalid } from '../../http/validation.ts';
import { capabilities } from '../../policy/capability.ts';
import { accessToCameras, accessToLists } from '../../policy/evaluate/camera-access.ts';
import { isGranted } from '../../policy/grant.ts';
import { type Authentication, plainIdentity } from '../../policy/identity.ts';
import type { Reason } from '../../policy/reasons.ts';
import { type Roles, accessOfRole, currentRole } from '../../policy/role-access.ts';
import { type Schedule, scheduleAt, turnOf } from '../../policy/schedule.ts';
import type { Reading } from '../../store/permit.ts';
import { endpoint } from '../endpoint.ts';

const permission = v.strictObject({
  state: v.pipe(
    v.picklist(['may', 'closed', 'no']),
    v.description('`closed`: not now, but while the schedule is open.'),
  ),
  reason: v.pipe(
    v.string(),
    v.description('A code of docs/reasons.md. For `no`, what refuses it even while the schedule is open.'),
  ),
});
const cameras = v.array(v.string());

const schedule = v.strictObject({
  from: v.optional(v.string()),
  until: v.optional(v.string()),
  hours: v.optional(v.string()),
  history: v.optional(v.literal('from')),
  is_open: v.boolean(),
  turns: v.pipe(
    v.nullable(v.number()),
    v.description('When it closes if it is open, or opens again: seconds since the epoch. Null: never.'),
  ),
});

const row = v.strictObject({
  user: v.optional(v.pipe(v.string(), v.description('If `user` is in the query.'))),
  role: v.string(),
  personal: v.pipe(v.boolean(), v.description('An invitation made the role for one user.')),
  users: v.pipe(v.number(), v.description('How many users have the role.')),
  may: v.pipe(v.array(v.picklist(capabilities)), v.description('The words of the role.')),
  granted: v.pipe(cameras, v.description('The cameras of the role, even if something else refuses them.')),
  schedule: v.pipe(v.nullable(schedule), v.description('Null: always open.')),
  lists: v.pipe(permission, v.description('Lists of recordings that name no camera, such as summaries.')),
  access: v.pipe(
    v.array(
      v.strictObject({
        cameras: v.pipe(cameras, v.description('All cameras with these answers.')),
        live: permission,
        history: permission,
        export: permission,
        ptz: permission,
        share: permission,
        talk: permission,
      }),
    ),
    v.description('Each camera is in one entry.'),
  ),
});

export interface AccessDependencies extends AssumedIdentityDependencies {
  readonly users: Pick<Users, 'find'> & Pick<UserList, 'counts'>;
  readonly clock: Clock;
  readonly read: Reading;
}

export const readAccess = endpoint({
  method: 'get',
  path: '/postern/api/access',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Decisions',
  summary: 'Get what each role may do with each camera',
  description:
    'Every answer is a decision on a request that has not been made, by the same checks as real ones: a live picture, a recording, a new export, and a command to a camera. Nothing is changed, and no one is signed in.',
  query: v.object({
    user: v.optional(v.string()),
    role: v.optional(v.string()),
    personal: v.optional(v.picklist(['true', 'false'], 'Input should be true or false')),
    at: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,11}$/, 'Input should be whole seconds since the epoch'),
        v.transform(Number),
      ),
    ),
  }),
  queryParameters: {
    user: 'Answer for this user only: blocks and missing second factors count.',
    role: 'Answer for this role only.',
    personal: '`true`: also for each role that an invitation made for one user.',
    at: 'The moment to answer for, in seconds since the epoch; now if it is missing.',
  },
  answers: {
    200: {
      meaning: 'The roles in the order of precedence, or the one that was asked for.',
      body: v.strictObject({
        at: v.pipe(v.number(), v.description('Seconds since the epoch.')),
        zone: v.pipe(v.string(), v.description('Time zone of the schedules.')),
        cameras,
        rows: v.array(row),
      }),
    },
    404: { meaning: 'There is no such user.' },
  },
  handle: (dependencies: AccessDependencies) => async (c) => {
    const { settings, users, clock, read, requireCurrentRoles } = dependencies;
    const { user, role, personal: wantsPersonal, at: asked } = c.req.valid('query');
    await requireCurrentRoles();
    const { rules, zone, allCameras, ownFront: front } = settings;
    const at = asked === undefined ? clock.now() : asked * 1_000;
    const all = [...allCameras()];
    const { byRole } = await users.counts();
    const isOne = user !== undefined || role !== undefined;
    const personal = await readPersonalRoles(read);
    const isListed = (name: string) => wantsPersonal === 'true' || !personal.has(name);
    const names = isOne ? [role] : [...rules.roles.keys()].filter(isListed);
    const rows = await Promise.all(
      names.map(async (name) => {
        const assumed = await assumeIdentity(dependencies, { user, role: name }, 'query');
        const { cameras: grant, may, schedule } = accessOfRole(assumed.role, rules.roles);
        const asking = { authentication: assumed.authentication, schedule, rules, front, at, zone };
        return {
          user,
          role: assumed.role,
          personal: personal.has(assumed.role),
          users: usersOf(assumed.role, byRole, rules.roles),
          may: capabilities.filter((capability) => may.has(capability)),
          granted: all.filter((camera) => isGranted(grant, camera)),
          schedule: schedule === undefined ? null : scheduleNow(schedule, at, zone),
          lists: accessToLists(asking),
          access: accessToCameras(all, asking),
        };
      }),
    );
    return { at: wholeSeconds(at), zone, cameras: all, rows };
  },
});

/** Users with a named role that is not defined anymore count as viewers. */
function usersOf(role: string, byRole: Readonly<Record<string, number>>, roles: Roles): number {
  return Object.entries(byRole).reduce(
    (sum, [stored, count]) => (currentRole(stored, roles) === role ? sum + count : sum),
    0,
  );
}

function scheduleNow({ from, until, hours, history }: Schedule, at: number, zone: string) {
  const schedule = { from, until, hours, history };
  const turns = turnOf(schedule, at, zone);
  return {
    ...schedule,
    is_open: scheduleAt(schedule, at, zone).isOpen,
    turns: turns === undefined ? null : wholeSeconds(turns),
  };
}

export interface AssumedIdentityDependencies {
  readonly settings: Settings;
  readonly users: Pick<Users, 'find'>;
  /** Loads the current custom roles. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
}

/** Who a question is about. */
export interface Assumed {
  readonly user?: string | undefined;
  /** With a user: in place of the stored one. */
  readonly role?: string | undefined;
}

/**
 * The current role of a user, and how they would be authenticated now. For questions only: it signs no one in.
 * @param part of the request that names them, for errors
 * @throws AppError `user_unknown`, `store_unavailable`
 * @throws ValidationError for an unknown role
 */
export async function assumeIdentity(
  { users, settings, requireCurrentRoles }: AssumedIdentityDependencies,
  { user, role }: Assumed,
  part: 'body' | 'query',
): Promise<{ readonly role: string; readonly authentication: Authentication }> {
  await requireCurrentRoles();
  const found = user === undefined ? undefined : await users.find(user);
  if (user !== undefined && found === undefined) throw new AppError('user_unknown');
  const { roles } = settings.rules;
  if (role !== undefined && !roles.has(role)) throw invalid([part, 'role'], 'No such role');
  const now = currentRole(role ?? found?.role ?? '', roles);
  const refused = (reason: Reason) => ({ role: now, authentication: { refused: reason } });
  if (found?.blocked !== undefined) return refused('user_blocked');
  if (found?.issuer !== undefined && found.issuer !== settings.issuer) return refused('provider_removed');
  // No account has this name: what is stopped for one does not count for a role.
  const identity = plainIdentity(user ?? 'a user', now, 'bearer');
  const isRestricted = found !== undefined && lacksSecondFactor(found, now, settings.secondFactorFor);
  return {
    role: now,
    authentication: { identity: isRestricted ? { ...identity, restricted: 'second_factor' } : identity },
  };
}
