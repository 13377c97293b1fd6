import * as v from 'valibot';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import { newPassword, username as newUsername } from '../../accounts/users/credentials.ts';
import type { Login } from '../../accounts/users/login.ts';
import type { PasswordHasher } from '../../accounts/users/password-hash.ts';
import type { Users } from '../../accounts/users/users.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { clientOf } from '../../http/fronts/client.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import { type SessionCookieHeader, actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import { endedCounts, keptList, pageLimit, searchText, totalCount } from '../query.ts';
import { permitIf } from '../permit.ts';
import type { ApiContext } from '../environment.ts';
import { needsProof, requireStepUp, stepUpNeeded, withProof } from '../require-step-up.ts';

const role = v.string('Input should be text');
const newUser = strictBody({ username: newUsername, password: newPassword, role });
const passwordChange = strictBody({
  password: newPassword,
  old_password: v.optional(v.string('Input should be text')),
  keep: keptList,
  keep_api_tokens: v.optional(
    v.pipe(v.boolean('Input should be true or false'), v.description('Like `keep` with `api_tokens`.')),
    false,
  ),
});
const roleChange = strictBody({ role });
export const listQuery = v.object({
  search: v.optional(searchText),
  role: v.optional(v.string()),
  limit: v.optional(pageLimit),
  after: v.optional(v.string()),
});

export interface UsersDependencies {
  readonly settings: Settings;
  readonly users: Users;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly login: Login;
  readonly changeLimit: ChangeLimit;
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly cookieHeader: SessionCookieHeader;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly clock: Clock;
}

/** The users page of a recorder asks for no old password, and shows this. */
const oldPasswordMissing =
  'Your own password is changed with the old one: on your account page, /postern/account';

export const user = v.strictObject({ username: v.string(), role: v.string() });
export const usernameParameter = { username: 'Name of a user.' };
export const listParameters = {
  search: 'Part of the name; not case-sensitive.',
  role: 'With this role only.',
  limit: '1 to 500; by default all.',
  after: 'Only names after this one: the last of the previous page.',
};

/*
 * `/api/users`: for admins, except for your own password. Changes end the user's sessions at once.
 */

export const listUsers = endpoint({
  method: 'get',
  path: '/api/users',
  level: 'admin-only',
  tag: 'Users',
  summary: 'List the users',
  description: 'The query can narrow the list. `X-Total-Count` of the answer is the number on all pages.',
  query: listQuery,
  queryParameters: listParameters,
  answers: { 200: { meaning: 'Users, by name.', body: v.array(user) } },
  handle:
    ({ users }: UsersDependencies) =>
    async (c) => {
      const query = c.req.valid('query');
      const [found, total] = await Promise.all([users.list(query), users.count(query)]);
      c.header(totalCount, String(total));
      return found;
    },
});

export const addUser = endpoint({
  method: 'post',
  path: '/api/users',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Users',
  summary: 'Add a user',
  body: newUser,
  bodyExample: { username: 'olaf', password: 'correct horse battery', role: 'viewer' },
  answers: {
    201: { meaning: 'Added.', body: user },
    403: stepUpNeeded,
    409: { meaning: 'There is a user with this name.' },
  },
  handle:
    ({ users, hasher, settings, audit, clock }: UsersDependencies) =>
    async (c) => {
      const { username, password, role } = c.req.valid('json');
      requireRole(role, settings);
      if (needsProof(role, settings)) requireStepUp(c, clock);
      const passwordHash = await hasher.hash(password);
      const added = await users.add({ username, role, passwordHash }, permitOfRole(c, role));
      await audit.record({
        event: 'user_added',
        ...actorOf(c, settings),
        object: username,
        detail: { role },
      });
      return added;
    },
});

export const changePassword = endpoint({
  method: 'put',
  path: '/api/users/:username/password',
  level: 'own-account',
  requiresSession: true,
  tag: 'Users',
  summary: 'Change a password',
  description:
    "Admins can change everyone's password; you can change your own, with `old_password`. Every session of the user ends; if the password is your own, the answer has the cookie of a new session. The API tokens and shares of the user end too, except those that `keep` names. For a user without a second factor, `old_password` counts as the proof for step-up.",
  pathParameters: usernameParameter,
  body: passwordChange,
  bodyExample: { password: 'another horse battery', old_password: 'correct horse battery' },
  answers: {
    200: { meaning: 'Changed.', body: v.strictObject({ ...user.entries, ...endedCounts }) },
    403: {
      meaning: 'The old password is wrong, `step_up_needed`, or your role may not do this.',
    },
    404: { meaning: 'There is no such user.' },
    422: {
      meaning: 'The body is not valid, or you change your own password without the old one.',
    },
    429: {
      meaning: 'Too many wrong old passwords from this address, or 60 changes of your own within an hour.',
    },
  },
  handle: (dependencies: UsersDependencies) => {
    const { users, hasher, login, changeLimit, sessions, cookieHeader, settings, audit, clock } =
      dependencies;
    return async (c) => {
      const { username } = c.req.param();
      const {
        password,
        old_password: oldPassword,
        keep: kept,
        keep_api_tokens: keepTokens,
      } = c.req.valid('json');
      const keep = keepTokens ? ([...kept, 'api_tokens'] as const) : kept;
      const { identity } = c.var.allowed;
      const { address } = clientOf(c.env, settings);
      const isOwn = c.var.session?.user.username === username;
      if (!isOwn && identity?.role !== 'admin') {
        const reason = 'forbidden';
        await audit.record({ event: 'refused', ...actorOf(c, settings), object: c.env.path, reason });
        throw new AppError(reason);
      }
      // The old password is the proof of a user without a second factor.
      const provesByPassword = isOwn && !c.var.session.user.hasSecondFactor;
      if (!provesByPassword) requireStepUp(c, clock);
      // Check before the expensive hash; the user may be removed meanwhile.
      const found = await users.find(username);
      if (found === undefined) throw new AppError('user_unknown');
      if (found.issuer !== undefined) throw new AppError('user_of_provider');
      // Also for an admin: otherwise anyone at an open session could take over the account.
      if (isOwn) {
        if (oldPassword === undefined)
          throw invalid(['body', 'old_password'], 'Field required', oldPasswordMissing);
        await login.verify(username, oldPassword, address).catch(async (error: unknown) => {
          const code = error instanceof AppError ? error.code : 'internal';
          const event = code === 'too_many_requests' ? 'password_change_limited' : 'password_change_refused';
          const reason = code === 'login_failed' ? 'wrong_password' : code;
          await audit.record({ event, ...actorOf(c, settings), object: username, reason, detail: { code } });
          c.set('isRecorded', true);
          throw code === 'login_failed' ? new AppError('wrong_password') : error;
        });
        await changeLimit.take('own_password', username);
      }
      const passwordHash = await hasher.hash(password);
      const permit = provesByPassword ? withProof(c.var.permit) : c.var.permit;
      const { user, ended } = await users.setPassword(username, passwordHash, permit, { keep });
      if (isOwn && identity?.source === 'session') {
        // A password proves no more than it does at a login.
        const authenticatedAt = user.hasSecondFactor ? c.var.session?.claims.authenticatedAt : undefined;
        const proved = authenticatedAt === undefined ? {} : { authenticatedAt };
        cookieHeader.set(c, await sessions.begin(user, proved));
      }
      await audit.record({
        event: 'password_changed',
        ...actorOf(c, settings),
        object: username,
        detail: ended,
      });
      return { username, role: user.role, ...ended };
    };
  },
});

export const changeRole = endpoint({
  method: 'put',
  path: '/api/users/:username/role',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Users',
  summary: 'Give a user another role',
  description: "The user's sessions end.",
  pathParameters: usernameParameter,
  body: roleChange,
  bodyExample: { role: 'viewer' },
  answers: {
    200: { meaning: 'Changed.', body: user },
    403: stepUpNeeded,
    404: { meaning: 'There is no such user.' },
    409: {
      meaning:
        'The user is the last admin. Or the user is a federated one: the provider has the role and the password.',
    },
  },
  handle:
    ({ users, settings, audit }: UsersDependencies) =>
    async (c) => {
      const { username } = c.req.param();
      const { role } = c.req.valid('json');
      requireRole(role, settings);
      const changed = await users.setRole(username, role, permitOfRole(c, role));
      await audit.record({
        event: 'user_role_changed',
        ...actorOf(c, settings),
        object: username,
        detail: { role },
      });
      return changed;
    },
});

export const removeUser = endpoint({
  method: 'delete',
  path: '/api/users/:username',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Users',
  summary: 'Remove a user',
  description:
    "The user's sessions end. A federated user is added again at the next sign-in: to keep a user out, block the user.",
  pathParameters: usernameParameter,
  answers: {
    // The users page of a recorder waits for 200.
    200: { meaning: 'Removed.', body: v.strictObject({}) },
    403: stepUpNeeded,
    404: { meaning: 'There is no such user.' },
    409: { meaning: 'The user is the last admin.' },
  },
  handle:
    ({ users, settings, audit }: UsersDependencies) =>
    async (c) => {
      const { username } = c.req.param();
      await users.remove(username, c.var.permit);
      await audit.record({ event: 'user_removed', ...actorOf(c, settings), object: username });
      return {};
    },
});

function requireRole(name: string, { rules: { roles } }: Settings): void {
  if (roles.has(name)) return;
  throw invalid(['body', 'role'], `Role should be one of ${[...roles.keys()].join(', ')}`);
}

/** A role may be removed while a password is hashed; without this check its user would become a viewer. */
function permitOfRole(c: ApiContext, name: string) {
  return permitIf(c.var.permit, (settings) => requireRole(name, settings));
}
