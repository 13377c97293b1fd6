import { Hono } from 'hono';
import * as v from 'valibot';
import { listedUser } from '../../accounts/listed-user.ts';
import type { Users } from '../../accounts/users.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { LastLogins } from '../../audit/last-logins.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { validBody, validQuery } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import { totalCount } from '../list-query.ts';
import type { ApiEnvironment } from '../request-context.ts';
import { listQuery } from './users.ts';

export const detailsQuery = v.object({
  ...listQuery.entries,
  provider: v.optional(v.string()),
  blocked: v.optional(v.picklist(['true', 'false'], 'Input should be true or false')),
});
export const blocking = v.object({ blocked: v.boolean('Input should be true or false') });

/** In place of an issuer, which is a URL. */
const noProvider = 'none';

export interface UserDetailsDependencies {
  readonly settings: Settings;
  readonly users: Users;
  readonly lastLogins: LastLogins;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: Logger;
}

/** `/postern/api/users`: what a recorder's users page does not ask for. */
export function userDetailRoutes(dependencies: UserDetailsDependencies) {
  const { users, lastLogins, settings, audit, logger } = dependencies;
  const { issuer, providerLabel: label } = settings;

  /** What is descriptive only must not keep anybody from looking after users. */
  const loginsOf = async (names: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    try {
      return await lastLogins(names);
    } catch (error) {
      logger.warn({ err: error }, 'the last logins of users cannot be read');
      return new Map();
    }
  };

  return new Hono<ApiEnvironment>()
    .get('/', validQuery(detailsQuery), async (c) => {
      const { provider, blocked, ...query } = c.req.valid('query');
      const filter = {
        ...query,
        ...(provider !== undefined && { issuer: provider === noProvider ? null : provider }),
        ...(blocked !== undefined && { isBlocked: blocked === 'true' }),
      };
      const [found, total] = await Promise.all([users.listDetails(filter), users.count(filter)]);
      const logins = await loginsOf(found.map(({ username }) => username));
      c.header(totalCount, String(total));
      return c.json(found.map((user) => listedUser(user, logins.get(user.username), { issuer, label })));
    })

    .get('/count', async (c) => {
      const { byRole, byIssuer, blocked, activeAdmins } = await users.counts();
      const labelOf = (name: string) => (name === issuer ? (label ?? null) : null);
      return c.json({
        by_role: byRole,
        by_provider: Object.entries(byIssuer).map(([provider, count]) => ({
          provider,
          provider_label: labelOf(provider),
          count,
        })),
        blocked,
        active_admins: activeAdmins,
      });
    })

    .put('/:username/blocked', validBody(blocking), async (c) => {
      const { username } = c.req.param();
      const { blocked } = c.req.valid('json');
      const change = blocked ? users.block : users.unblock;
      const { role, isChanged } = await change(username, c.var.permit);
      const event = blocked ? 'user_blocked' : 'user_unblocked';
      if (isChanged) await audit.record({ event, ...actorOf(c, settings), object: username });
      return c.json({ username, role, blocked });
    });
}

export type UserDetailsApi = ReturnType<typeof userDetailRoutes>;
