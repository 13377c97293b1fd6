import * as v from 'valibot';
import type { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { Users } from '../../accounts/users/users.ts';
import { apiTokenPage, apiTokenStates, listedApiToken } from './listed-token.ts';
import { usesOf, type ApiTokenUses } from './uses.ts';
import { apiTokenName, longestLife, type ApiTokens } from './api-tokens.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Identity } from '../../policy/identity.ts';
import { tokenAccess } from '../../config/role-access.ts';
import { scheduleIn } from '../../policy/role-access.ts';
import { scopeProblem } from '../../policy/token-scope.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { Reading } from '../../store/permit.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import { invalid, strictBody } from '../../http/validation.ts';
import { actorOf } from '../../api/request.ts';
import { endpoint } from '../../api/endpoint.ts';
import { pageLimit, searchText, totalCount } from '../../api/query.ts';
import { permitIf } from '../../api/permit.ts';
import type { ApiContext } from '../../api/environment.ts';
import { needsProof, requireStepUp, stepUpNeeded } from '../../api/require-step-up.ts';

const text = v.string('Input should be text');
const newApiTokenFields = strictBody({
  name: apiTokenName,
  role: text,
  cameras: v.optional(v.pipe(v.array(text, 'Input should be a list'), v.metadata({ minItems: 1 }))),
  access: v.optional(
    v.pipe(
      v.nullable(tokenAccess),
      v.description('What of the role it may do, and when, as in `auth.role_access`. Null: all of it.'),
    ),
  ),
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
const newApiToken = v.pipe(
  newApiTokenFields,
  v.metadata({ not: { required: ['expires_at', 'expires_in_days'] } }),
);

const listQuery = v.object({
  user: v.optional(text),
  search: v.optional(searchText),
  state: v.optional(v.picklist(apiTokenStates, 'Input should be good, expired or too_wide')),
  limit: v.optional(pageLimit),
  after: v.optional(text),
});

// Milliseconds.
const day = 86_400_000;

const moment = (meaning: string) =>
  v.pipe(v.nullable(v.number()), v.description(`Seconds since the epoch; null: ${meaning}.`));
const entry = {
  id: v.string(),
  username: v.pipe(v.string(), v.description('Its owner.')),
  name: v.string(),
  role: v.string(),
  cameras: v.pipe(v.nullable(v.array(v.string())), v.description('Null: all cameras of the role.')),
  access: v.pipe(
    v.nullable(tokenAccess),
    v.description('What of the role it may do, and when; null: all of it.'),
  ),
  created_at: v.number(),
  expires_at: moment('it does not expire'),
  last_used_at: moment('not used yet'),
  last_used_from: v.nullable(v.string()),
  state: v.pipe(
    v.picklist(apiTokenStates),
    v.description('`too_wide`: its role is more than its owner may do by now, and it is refused.'),
  ),
};

export interface ApiTokensDependencies {
  readonly settings: Settings;
  readonly apiTokens: ApiTokens;
  readonly apiTokenUses: ApiTokenUses;
  readonly users: Pick<Users, 'find'>;
  readonly changeLimit: ChangeLimit;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: RequestLog;
  readonly clock: Clock;
}

/* Your own API tokens, and everyone's for admins. API tokens have no access. */

export const listApiTokens = endpoint({
  method: 'get',
  path: '/postern/api/tokens',
  level: 'own-account',
  requiresSession: true,
  tag: 'API tokens',
  summary: 'List your API tokens',
  description: 'Admins get those of all users. `X-Total-Count` of the answer is the number on all pages.',
  query: listQuery,
  queryParameters: {
    user: 'Of this user only.',
    search: 'Part of the name, the owner or the role; not case-sensitive.',
    state: 'Only those that are `good`, `expired` or `too_wide`.',
    limit: '1 to 500; by default all.',
    after: 'Only those after this one: owner, slash and name of the last of the previous page.',
  },
  answers: {
    200: { meaning: 'By owner and name.', body: v.array(v.strictObject(entry)) },
    404: { meaning: 'There is no such user, or it is not you.' },
  },
  handle:
    ({ apiTokens, apiTokenUses, users, settings, logger, clock }: ApiTokensDependencies) =>
    async (c) => {
      const { user, role } = askerOf(c, settings);
      const query = c.req.valid('query');
      const asked = query.user;
      const isOther = asked !== undefined && asked !== user;
      if (isOther && (role !== 'admin' || (await users.find(asked)) === undefined))
        throw new AppError('user_unknown');
      const found = await apiTokens.list(role === 'admin' ? asked : user);
      const uses = await usesOf(apiTokenUses, logger);
      const { roles } = settings.rules;
      const listed = found.map((apiToken) =>
        listedApiToken(apiToken, uses.get(apiToken.id), clock.now(), roles),
      );
      const { apiTokens: page, total } = apiTokenPage(listed, query);
      c.header(totalCount, String(total));
      return page;
    },
});

export const addApiToken = endpoint({
  method: 'post',
  path: '/postern/api/tokens',
  level: 'own-account',
  requiresSession: true,
  tag: 'API tokens',
  summary: 'Add an API token',
  description:
    'Its role is not wider than yours, and `cameras` and `access` narrow it further. It may have `expires_at` or `expires_in_days`.',
  body: newApiToken,
  bodyExample: { name: 'Home automation', role: 'viewer', cameras: ['driveway'], expires_in_days: 90 },
  answers: {
    201: {
      meaning: 'Added. Only this answer has `token`.',
      body: v.strictObject({ ...entry, token: v.string() }),
    },
    403: stepUpNeeded,
    404: {
      meaning: '`auth.enabled` is `false`: there are no accounts. Or the role was made for someone else.',
    },
    409: { meaning: 'There is one with this name, or there are too many.' },
    429: { meaning: 'A user who is not an admin made 60 within an hour.' },
  },
  handle:
    ({ apiTokens, changeLimit, users, settings, audit, clock }: ApiTokensDependencies) =>
    async (c) => {
      if (settings.mode === 'proxy') throw new AppError('authentication_disabled');
      const { user: owner, source } = askerOf(c, settings);
      // On the internal entry point everyone is `anonymous`, which is not an account.
      if (source !== 'session' && source !== 'bearer') throw new AppError('forbidden');
      const body = c.req.valid('json');
      const expiresAt = expiryOf(body, clock.now());
      const { role, name, access } = body;
      if (needsProof(role, settings)) requireStepUp(c, clock);
      const cameras = body.cameras === undefined ? undefined : new Set(body.cameras);
      const may = access?.may && new Set(access.may);
      const schedule = scheduleIn(access ?? undefined);
      const { rules, allCameras } = settings;
      const known = cameras === undefined ? undefined : allCameras();
      const requireScope = async ({ rules: { roles } }: Settings, on?: Reading) => {
        const found = await users.find(owner, on);
        if (found === undefined) throw new AppError('user_unknown');
        const problem = scopeProblem({ role, cameras, may }, found.role, roles, known);
        if (problem === undefined) return;
        // Only admins may see which other roles there are.
        const isNamed = problem.part !== 'role' || found.role === 'admin';
        const message = isNamed ? problem.message : 'The role should be your own, or one that is no wider';
        throw invalid(['body', problem.part === 'may' ? 'access' : problem.part], message);
      };
      await requireScope(settings);
      if (c.var.allowed.identity?.role !== 'admin') await changeLimit.take('api_token', owner);
      const wanted = { name, owner, role, cameras, may, schedule, expiresAt };
      const { token, apiToken } = await apiTokens.add(wanted, permitIf(c.var.permit, requireScope));
      const detail = { id: apiToken.id, owner, role };
      await audit.record({ event: 'api_token_created', ...actorOf(c, settings), object: name, detail });
      return {
        ...listedApiToken(apiToken, undefined, clock.now(), rules.roles),
        token,
      };
    },
});

export const revokeApiToken = endpoint({
  method: 'delete',
  path: '/postern/api/tokens/:id',
  level: 'own-account',
  requiresSession: true,
  tag: 'API tokens',
  summary: 'Revoke an API token',
  pathParameters: { id: 'Id of the API token.' },
  answers: {
    204: { meaning: 'It is rejected from the next request on.' },
    404: { meaning: 'There is no such API token, or it belongs to someone else.' },
  },
  handle:
    ({ apiTokens, settings, audit }: ApiTokensDependencies) =>
    async (c) => {
      const { user, role } = askerOf(c, settings);
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
    },
});

/** A user of a proxy may have the name of an account, but does not own its tokens. */
function askerOf(c: ApiContext, { mode }: Settings): Identity {
  const { identity } = c.var.allowed;
  if (identity === undefined) throw new AppError('unauthenticated');
  if (mode === 'proxy' && identity.role !== 'admin') throw new AppError('authentication_disabled');
  return identity;
}

/** @returns milliseconds since the epoch, as `now` is; `undefined` if it does not expire */
function expiryOf(
  { expires_at: atSeconds, expires_in_days: days }: v.InferOutput<typeof newApiToken>,
  now: number,
): number | undefined {
  if (atSeconds !== undefined && days !== undefined)
    throw invalid(['body', 'expires_in_days'], 'Give expires_at or expires_in_days, not both');
  const at = atSeconds === undefined ? undefined : atSeconds * 1000;
  if (at !== undefined && (at <= now || at > now + longestLife * day))
    throw invalid(['body', 'expires_at'], `Input should be a time within the next ${longestLife} days`);
  return days === undefined ? at : now + days * day;
}
