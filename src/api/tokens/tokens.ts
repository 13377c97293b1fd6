import type { Reading } from '../../store/permit.ts';
import type { Identity } from '../../policy/identity.ts';
import type { Settings } from '../../settings/settings.ts';
import { Hono } from 'hono';
import * as v from 'valibot';
import { apiTokenPage } from '../../api-tokens/api-token-page.ts';
import { apiTokenStates, listedApiToken } from '../../api-tokens/listed-api-token.ts';
import type { Clock } from '../../clock.ts';
import type { ChangeLimit } from '../../accounts/change-limit.ts';
import type { Users } from '../../accounts/users.ts';
import type { ApiTokenUse, ApiTokenUses } from '../../api-tokens/api-token-uses.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { apiTokenName, longestLife, type ApiTokens } from '../../api-tokens/api-tokens.ts';
import { AppError } from '../../errors.ts';
import { scopeProblem } from '../../policy/token-scope.ts';
import { invalid, validBody, validQuery } from '../../validation.ts';
import { actorOf } from '../actor.ts';
import { permitIf } from '../permit.ts';
import { needsProof, requireStepUp } from '../require-step-up.ts';
import { pageLimit, searchText, totalCount } from '../list-query.ts';
import type { ApiContext, ApiEnvironment } from '../request-context.ts';

const text = v.string('Input should be text');
const newApiTokenFields = v.object({
  name: apiTokenName,
  role: text,
  cameras: v.optional(v.pipe(v.array(text, 'Input should be a list'), v.metadata({ minItems: 1 }))),
  expires_at: v.optional(
    v.pipe(
      v.number('Input should be a number'),
      v.integer('Input should be a whole number'),
      v.description(`Seconds since the epoch, within the next ${longestLife} days.`),
    ),
  ),
  expires_in_days: v.optional(
    v.pipe(
      v.number('Input should be a number'),
      v.integer('Input should be a whole number'),
      v.minValue(1, 'Input should be at least 1'),
      v.maxValue(longestLife, `Input should be at most ${longestLife}`),
    ),
  ),
});
export const newApiToken = v.pipe(
  newApiTokenFields,
  v.metadata({ not: { required: ['expires_at', 'expires_in_days'] } }),
);

export const listQuery = v.object({
  user: v.optional(text),
  search: v.optional(searchText),
  state: v.optional(v.picklist(apiTokenStates, 'Input should be good, expired or too_wide')),
  limit: v.optional(pageLimit),
  after: v.optional(text),
});

// Milliseconds.
const day = 86_400_000;

export interface ApiTokensDependencies {
  readonly settings: Settings;
  readonly apiTokens: ApiTokens;
  readonly apiTokenUses: ApiTokenUses;
  readonly users: Pick<Users, 'find'>;
  readonly changeLimit: ChangeLimit;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** `/postern/api/tokens`: one's own API tokens, and everybody's for admins. No API token gets here. */
export function apiTokenRoutes({
  apiTokens,
  apiTokenUses,
  changeLimit,
  users,
  settings,
  logger,
  audit,
  clock,
}: ApiTokensDependencies) {
  /** What is descriptive only must not keep anybody from revoking a token. */
  const usesOf = async (): Promise<ReadonlyMap<string, ApiTokenUse>> => {
    try {
      return await apiTokenUses.list();
    } catch (error) {
      logger.warn({ err: error }, 'the last use of API tokens cannot be read');
      return new Map();
    }
  };

  /** Whoever a proxy names may be called like an account, and is not its owner. */
  const asker = (c: ApiContext): Identity => {
    const { identity } = c.var.allowed;
    if (identity === undefined) throw new AppError('unauthenticated');
    if (settings.mode === 'proxy' && identity.role !== 'admin') throw new AppError('authentication_disabled');
    return identity;
  };

  const expiryOf = ({ expires_at: atSeconds, expires_in_days: days }: v.InferOutput<typeof newApiToken>) => {
    if (atSeconds !== undefined && days !== undefined)
      throw invalid(['body', 'expires_in_days'], 'Give expires_at or expires_in_days, not both');
    const now = clock.now();
    const at = atSeconds === undefined ? undefined : atSeconds * 1000;
    if (at !== undefined && (at <= now || at > now + longestLife * day))
      throw invalid(['body', 'expires_at'], `Input should be a time within the next ${longestLife} days`);
    return days === undefined ? at : now + days * day;
  };

  return new Hono<ApiEnvironment>()
    .get('/', validQuery(listQuery), async (c) => {
      const { user, role } = asker(c);
      const query = c.req.valid('query');
      const asked = query.user;
      const isOther = asked !== undefined && asked !== user;
      if (isOther && (role !== 'admin' || (await users.find(asked)) === undefined))
        throw new AppError('user_unknown');
      const found = await apiTokens.list(role === 'admin' ? asked : user);
      const uses = await usesOf();
      const { customRoles } = settings.rules;
      const listed = found.map((apiToken) =>
        listedApiToken(apiToken, uses.get(apiToken.id), clock.now(), customRoles, settings.roleWindows),
      );
      const { apiTokens: page, total } = apiTokenPage(listed, query);
      c.header(totalCount, String(total));
      return c.json(page);
    })

    .post('/', validBody(newApiToken), async (c) => {
      if (settings.mode === 'proxy') throw new AppError('authentication_disabled');
      const { user: owner, source } = asker(c);
      // On the internal entry point everybody is anonymous, who is no account.
      if (source !== 'session' && source !== 'bearer') throw new AppError('forbidden');
      const body = c.req.valid('json');
      const expiresAt = expiryOf(body);
      const { role, name } = body;
      if (needsProof(role, settings)) requireStepUp(c, clock);
      const cameras = body.cameras === undefined ? undefined : new Set(body.cameras);
      const { rules, allCameras } = settings;
      const known = cameras === undefined ? undefined : allCameras();
      const requireScope = async ({ rules: { customRoles }, roleWindows }: Settings, on?: Reading) => {
        const found = await users.find(owner, on);
        if (found === undefined) throw new AppError('user_unknown');
        const problem = scopeProblem({ role, cameras }, found.role, customRoles, roleWindows, known);
        if (problem !== undefined) throw invalid(['body', problem.part], problem.message);
      };
      await requireScope(settings);
      if (c.var.allowed.identity?.role !== 'admin') await changeLimit.take('api_token', owner);
      const wanted = { name, owner, role, cameras, expiresAt };
      const { token, apiToken } = await apiTokens.add(wanted, permitIf(c.var.permit, requireScope));
      const detail = { id: apiToken.id, owner, role };
      await audit.record({ event: 'api_token_created', ...actorOf(c, settings), object: name, detail });
      return c.json(
        {
          ...listedApiToken(apiToken, undefined, clock.now(), rules.customRoles, settings.roleWindows),
          token,
        },
        201,
      );
    })

    .delete('/:id', async (c) => {
      const { user, role } = asker(c);
      const found = await apiTokens.find(c.req.param('id'));
      const mayRevoke = found !== undefined && (role === 'admin' || found.owner === user);
      if (!mayRevoke || !(await apiTokens.revoke(found.id, c.var.permit)))
        throw new AppError('api_token_unknown');
      const detail = { id: found.id, owner: found.owner };
      await audit.record({
        event: 'api_token_revoked',
        ...actorOf(c, settings),
        object: found.name,
        detail,
      });
      return c.body(null, 204);
    });
}

export type ApiTokensApi = ReturnType<typeof apiTokenRoutes>;
