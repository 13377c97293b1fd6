import * as v from 'valibot';
import { listedUser } from '../../accounts/users/user-list.ts';
import type { Users } from '../../accounts/users/users.ts';
import { readPersonalRoles } from '../../accounts/users/personal-roles.ts';
import type { Reading } from '../../store/permit.ts';
import { ownAccess, ownAccessBy } from './shown-access.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { LastLogins } from '../../audit/last-logins.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { readIfPossible, type RequestLog } from '../../telemetry/request-log.ts';
import { strictBody } from '../../http/validation.ts';
import { actorOf } from '../request.ts';
import { endpoint } from '../endpoint.ts';
import { totalCount } from '../query.ts';
import { stepUpNeeded } from '../require-step-up.ts';
import { listParameters, listQuery, user, usernameParameter } from './users.ts';

const detailsQuery = v.object({
  ...listQuery.entries,
  provider: v.optional(v.string()),
  blocked: v.optional(v.picklist(['true', 'false'], 'Input should be true or false')),
});
const blocking = strictBody({ blocked: v.boolean('Input should be true or false') });

/** Instead of an issuer, which is a URL. */
const noProvider = 'none';

const provider = {
  provider: v.pipe(
    v.nullable(v.string()),
    v.description('Issuer of the provider of a federated user; null: an account of Postern.'),
  ),
  provider_label: v.pipe(
    v.nullable(v.string()),
    v.description('`auth.oidc.label`; null: `auth.oidc` no longer names the provider.'),
  ),
};

export interface UserDetailsDependencies {
  readonly settings: Settings;
  readonly users: Users;
  readonly lastLogins: LastLogins;
  readonly read: Reading;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: RequestLog;
}

export const listUserDetails = endpoint({
  method: 'get',
  path: '/postern/api/users',
  level: 'admin-only',
  tag: 'Users',
  operationId: 'get_api_user_details',
  summary: 'List the users, with all details',
  description: 'The query can narrow the list. `X-Total-Count` of the answer is the number on all pages.',
  query: detailsQuery,
  queryParameters: {
    ...listParameters,
    provider: 'Federated users of this provider, by its issuer; `none`: accounts of Postern.',
    blocked: '`true`: blocked users; `false`: the others.',
  },
  answers: {
    200: {
      meaning: 'Users, by name.',
      body: v.array(
        v.strictObject({
          ...user.entries,
          ...provider,
          role_reason: v.pipe(
            v.nullable(v.string()),
            v.description(
              'Why a federated user has the role: `group NAME`, `default_role`, or `role_removed`, when an admin removed the role.',
            ),
          ),
          last_login: v.pipe(
            v.nullable(v.number()),
            v.description('Seconds since the epoch; null: not known.'),
          ),
          blocked: v.pipe(
            v.nullable(v.picklist(['admin', 'provider'])),
            v.description('Who blocks the user; null: not blocked.'),
          ),
          second_factors: v.array(v.picklist(['passkey', 'one_time_code'])),
          own_access: v.pipe(
            v.nullable(ownAccess),
            v.description('What the role gives that an invitation made for this user; null: another role.'),
          ),
        }),
      ),
    },
  },
  handle:
    ({ users, lastLogins, settings, read, logger }: UserDetailsDependencies) =>
    async (c) => {
      const { provider, blocked, ...query } = c.req.valid('query');
      const filter = {
        ...query,
        ...(provider !== undefined && { issuer: provider === noProvider ? null : provider }),
        ...(blocked !== undefined && { isBlocked: blocked === 'true' }),
      };
      const [found, total] = await Promise.all([users.listDetails(filter), users.count(filter)]);
      const logins = await loginsOf(
        found.map(({ username }) => username),
        lastLogins,
        logger,
      );
      c.header(totalCount, String(total));
      const { issuer, providerLabel: label } = settings;
      const accessOf = ownAccessBy(await readPersonalRoles(read), settings);
      return found.map((user) =>
        Object.assign(listedUser(user, logins.get(user.username), { issuer, label }), {
          own_access: accessOf(user.role),
        }),
      );
    },
});

export const countUsers = endpoint({
  method: 'get',
  path: '/postern/api/users/count',
  level: 'admin-only',
  tag: 'Users',
  summary: 'Count the users of each role and provider',
  answers: {
    200: {
      meaning: 'How many users there are.',
      body: v.strictObject({
        by_role: v.pipe(v.record(v.string(), v.number()), v.description('Roles that have users.')),
        by_provider: v.pipe(
          v.array(v.strictObject({ ...provider, provider: v.string(), count: v.number() })),
          v.description('Providers that have users.'),
        ),
        blocked: v.number(),
        active_admins: v.pipe(
          v.number(),
          v.description(
            'Admins who are not blocked. The last of them cannot be removed, blocked or given another role.',
          ),
        ),
      }),
    },
  },
  handle:
    ({ users, settings: { issuer, providerLabel: label } }: UserDetailsDependencies) =>
    async () => {
      const { byRole, byIssuer, blocked, activeAdmins } = await users.counts();
      const labelOf = (name: string) => (name === issuer ? (label ?? null) : null);
      return {
        by_role: byRole,
        by_provider: Object.entries(byIssuer).map(([provider, count]) => ({
          provider,
          provider_label: labelOf(provider),
          count,
        })),
        blocked,
        active_admins: activeAdmins,
      };
    },
});

export const blockUser = endpoint({
  method: 'put',
  path: '/postern/api/users/:username/blocked',
  level: 'admin-only',
  requiresSession: true,
  tag: 'Users',
  summary: 'Block or unblock a user',
  description:
    'No password, session or API token of a blocked user is accepted. Sessions end at once; API tokens are valid again after unblocking. A user whom the provider blocks (`blocked` is `provider`) cannot be unblocked here.',
  pathParameters: usernameParameter,
  body: blocking,
  bodyExample: { blocked: true },
  answers: {
    200: {
      meaning: 'It is so now, whether it was before or not.',
      body: v.strictObject({ ...user.entries, blocked: v.boolean() }),
    },
    403: stepUpNeeded,
    404: { meaning: 'There is no such user.' },
    409: { meaning: 'The user is the last admin, or the provider blocks the user.' },
  },
  handle:
    ({ users, settings, audit }: UserDetailsDependencies) =>
    async (c) => {
      const { username } = c.req.param();
      const { blocked } = c.req.valid('json');
      const change = blocked ? users.block : users.unblock;
      const { role, isChanged } = await change(username, c.var.permit);
      const event = blocked ? 'user_blocked' : 'user_unblocked';
      if (isChanged) await audit.record({ event, ...actorOf(c, settings), object: username });
      return { username, role, blocked };
    },
});

/** A failure to read details must not keep admins from managing users. */
async function loginsOf(
  names: readonly string[],
  lastLogins: LastLogins,
  logger: RequestLog,
): Promise<ReadonlyMap<string, number>> {
  return (
    (await readIfPossible(lastLogins(names), logger, 'the last logins of users cannot be read')) ?? new Map()
  );
}
