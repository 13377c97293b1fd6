import type { Settings } from '../../settings/settings.ts';
import { clientOf } from '../../fronts/client.ts';
import { Hono } from 'hono';
import * as v from 'valibot';
import type { ChangeLimit } from '../../accounts/change-limit.ts';
import type { Login } from '../../accounts/login.ts';
import type { PasswordHasher } from '../../accounts/password-hash.ts';
import type { Users } from '../../accounts/users.ts';
import type { Clock } from '../../clock.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { newPassword, username as newUsername } from '../../accounts/credentials.ts';
import { AppError } from '../../errors.ts';
import { definedRoles, isDefinedRole } from '../../policy/grant.ts';
import { invalid, validBody, validQuery } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import { pageLimit, searchText, totalCount } from '../list-query.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';
import { keptList } from '../kept.ts';
import { permitIf } from '../permit.ts';
import { needsProof, requireStepUp, withProof } from '../require-step-up.ts';
import type { SessionCookieHeader } from '../session-cookie-header.ts';

const role = v.string('Input should be text');
export const newUser = v.object({ username: newUsername, password: newPassword, role });
export const passwordChange = v.object({
  password: newPassword,
  old_password: v.optional(v.string('Input should be text')),
  keep: keptList,
  keep_api_tokens: v.optional(
    v.pipe(v.boolean('Input should be true or false'), v.description('Like `keep` with `api_tokens`.')),
    false,
  ),
});
export const roleChange = v.object({ role });
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

/** `/api/users`: for admins, but for one's own password. Changes end the user's sessions at once. */
export function userRoutes(dependencies: UsersDependencies) {
  const { users, hasher, login, changeLimit, sessions, cookieHeader, settings, audit, clock } = dependencies;
  const actor = (c: ApiContext) => actorOf(c, settings);
  const requireRole = (name: string, { rules: { customRoles } }: Settings) => {
    if (isDefinedRole(name, customRoles)) return;
    throw invalid(['body', 'role'], `Role should be one of ${definedRoles(customRoles).join(', ')}`);
  };

  /** A role may go while a password is hashed, and whoever has it would be viewer. */
  const permitOfRole = (c: ApiContext, name: string) =>
    permitIf(c.var.permit, (settings) => requireRole(name, settings));

  return new Hono<ApiEnvironment>()
    .get('/', validQuery(listQuery), async (c) => {
      const query = c.req.valid('query');
      const [found, total] = await Promise.all([users.list(query), users.count(query)]);
      c.header(totalCount, String(total));
      return c.json(found);
    })

    .post('/', validBody(newUser), async (c) => {
      const { username, password, role } = c.req.valid('json');
      requireRole(role, settings);
      if (needsProof(role, settings)) requireStepUp(c, clock);
      const passwordHash = await hasher.hash(password);
      const added = await users.add({ username, role, passwordHash }, permitOfRole(c, role));
      await audit.record({ event: 'user_added', ...actor(c), object: username, detail: { role } });
      return c.json(added, 201);
    })

    .put('/:username/password', validBody(passwordChange), async (c) => {
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
        await audit.record({ event: 'refused', ...actor(c), object: c.env.path, reason });
        throw new AppError(reason);
      }
      // The old password is the proof of who has no second factor.
      const provesByPassword = isOwn && !c.var.session.user.hasSecondFactor;
      if (!provesByPassword) requireStepUp(c, clock);
      // Before the work of a hash; the user may go meanwhile.
      const found = await users.find(username);
      if (found === undefined) throw new AppError('user_unknown');
      if (found.issuer !== undefined) throw new AppError('user_of_provider');
      // Of an admin too: whoever finds a session open would have the account.
      if (isOwn) {
        if (oldPassword === undefined)
          throw invalid(['body', 'old_password'], 'Field required', oldPasswordMissing);
        await login.verify(username, oldPassword, address).catch(async (error: unknown) => {
          const code = error instanceof AppError ? error.code : 'internal';
          const event = code === 'too_many_requests' ? 'password_change_limited' : 'password_change_refused';
          const reason = code === 'login_failed' ? 'wrong_password' : code;
          await audit.record({ event, ...actor(c), object: username, reason, detail: { code } });
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
      await audit.record({ event: 'password_changed', ...actor(c), object: username, detail: ended });
      return c.json({ username, role: user.role, ...ended });
    })

    .put('/:username/role', validBody(roleChange), async (c) => {
      const { username } = c.req.param();
      const { role } = c.req.valid('json');
      requireRole(role, settings);
      const changed = await users.setRole(username, role, permitOfRole(c, role));
      await audit.record({ event: 'user_role_changed', ...actor(c), object: username, detail: { role } });
      return c.json(changed);
    })

    .delete('/:username', async (c) => {
      const { username } = c.req.param();
      await users.remove(username, c.var.permit);
      await audit.record({ event: 'user_removed', ...actor(c), object: username });
      // The users page of a recorder waits for 200.
      return c.json({});
    });
}

export type UsersApi = ReturnType<typeof userRoutes>;
