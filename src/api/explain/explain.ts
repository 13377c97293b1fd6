import * as v from 'valibot';
import type { Users } from '../../identity/users/users.ts';
import type { AuditRecords } from '../../audit/audit-query.ts';
import { lacksSecondFactor } from '../../access/authentication/session-token.ts';
import { isDecisionId, type DecisionLog } from '../../access/decision-log.ts';
import type { Evaluate } from '../../access/evaluated.ts';
import { explain, explainRecord, type ExplainedRequest, type Step } from '../../access/explain.ts';
import { recordedDecision } from '../../access/recorded-decision.ts';
import { AppError } from '../../errors.ts';
import { languageOf, type Language } from '../../language/language.ts';
import { reasonText } from '../../language/reason-text.ts';
import type { RequestContext } from '../../policy/request-context.ts';
import type { Decision } from '../../policy/decision.ts';
import { evaluate } from '../../policy/evaluate/evaluate.ts';
import { currentRole, isDefinedRole, isGranted } from '../../policy/grant.ts';
import { plainIdentity, type Authentication } from '../../policy/identity.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import type { Reason } from '../../policy/reasons.ts';
import { grantOfIdentity } from '../../policy/token-scope.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { invalid } from '../../http/validation.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';

const text = v.string('Input should be text');
const headerLines = v.array(v.tuple([text, text]), 'Input should be a list of [name, value]');

const explainedRequest = v.union(
  [
    v.object({ decision: text }),
    v.object({
      method: text,
      uri: text,
      edge: v.optional(v.picklist(['authenticated', 'internal']), 'authenticated'),
      /** Identity: a user, a role, or the headers. */
      user: v.optional(text),
      role: v.optional(text),
      headers: v.optional(headerLines, []),
      /** Whether the front narrows queries of lists; by default, whether the embedded front is on. */
      narrows: v.optional(v.boolean('Input should be true or false')),
    }),
  ],
  'Input should name a decision, or a method and a uri',
);

/** A decision in words, for the people who have to do something about it. */
interface Explanation {
  /** The decision is known only from the audit. */
  readonly recorded?: true;
  readonly verdict: Decision['outcome'];
  readonly reason: Reason;
  readonly meaning: string;
  readonly advice: string;
  readonly user: string | null;
  readonly role: string | null;
  readonly token_id: string | null;
  /** Cameras of the request that are not granted now. */
  readonly not_granted: readonly string[];
  readonly steps: readonly Step[];
}

function explanationOf(
  request: ExplainedRequest,
  decision: Decision,
  { schedules, rules: { customRoles, scheduleOf } }: Settings,
  language: Language,
): Explanation {
  const { outcome, reason, identity, resource } = decision;
  const schedule = identity && schedules.get(identity.role);
  const state = identity && scheduleOf?.(identity.role);
  const scheduled = schedule && state && { schedule, isOpen: state.isOpen, zone: Temporal.Now.timeZoneId() };
  const named = resource?.kind === 'cameras' ? resource.cameras : [];
  const grant = identity === undefined ? undefined : grantOfIdentity(identity, customRoles);
  return {
    verdict: outcome,
    reason,
    ...reasonText(reason, language),
    user: identity?.user ?? null,
    role: identity?.role ?? null,
    token_id: identity?.token?.id ?? null,
    not_granted: grant === undefined ? [] : named.filter((camera) => !isGranted(grant, camera)),
    steps: explain(request, decision, language, scheduled),
  };
}

export interface ExplainDependencies {
  readonly settings: Settings;
  readonly users: Pick<Users, 'find'>;
  readonly evaluate: Evaluate;
  readonly decisions: DecisionLog;
  readonly auditRecords: Pick<AuditRecords, 'findPage'>;
  /** Loads the current custom roles. @throws AppError `store_unavailable` */
  readonly requireCurrentRoles: () => Promise<void>;
}

/** Open only at the gate's embedded front: where there is one, the request is sent to it. */
const ofOwnFront: ReadonlySet<Reason> = new Set([
  'configuration_unmasked',
  'messages_unfiltered',
  'stats_unnarrowed',
]);

export const explainDecision = endpoint({
  method: 'post',
  path: '/postern/api/explain',
  level: 'admin-only',
  tag: 'Decisions',
  summary: 'Explain a decision, or test a request',
  description:
    'By the id of a decision (`x-postern-decision`, and `decision` in the log), or for a request that has not been made. Each process remembers its own last 10,000 decisions; for refusals of other processes the audit is searched.',
  body: explainedRequest,
  bodyExample: { role: 'neighbour', method: 'GET', uri: '/api/garage/latest.jpg' },
  answers: {
    200: {
      meaning: 'The decision, and what led to it.',
      body: v.strictObject({
        decision: v.optional(v.string()),
        recorded: v.optional(
          v.pipe(
            v.literal(true),
            v.description(
              'The decision comes from the audit: another process made it, or it is too old to be in memory. The record has who, what and why, but not the access rule and the cameras.',
            ),
          ),
        ),
        verdict: v.picklist(['allow', 'unauthenticated', 'forbidden']),
        reason: v.string(),
        meaning: v.pipe(v.string(), v.description('Meaning of the reason, by `Accept-Language`.')),
        advice: v.pipe(
          v.string(),
          v.description('What to do about it, by `Accept-Language`. Code is between backticks.'),
        ),
        user: v.nullable(v.string()),
        role: v.nullable(v.string()),
        token_id: v.pipe(v.nullable(v.string()), v.description('The API token that identified the user.')),
        not_granted: v.pipe(
          v.array(v.string()),
          v.description('Cameras of the request that are not granted now.'),
        ),
        steps: v.array(v.strictObject({ step: v.string(), says: v.string() })),
      }),
    },
    404: {
      meaning: 'The decision is neither in memory nor in the audit, or there is no such user.',
    },
  },
  handle: (dependencies: ExplainDependencies) => async (c) => {
    const { settings, decisions } = dependencies;
    const asked = c.req.valid('json');
    if ('decision' in asked) {
      const kept = decisions.find(asked.decision);
      if (kept === undefined) return recorded(dependencies, c, asked.decision);
      return { decision: kept.id, ...explained(c, settings, kept.request, kept.decision) };
    }
    const {
      method,
      uri,
      edge,
      user,
      role,
      headers: sent,
      narrows = settings.ownFront === 'embedded',
    } = asked;
    const headers = sent.flat();
    const host = headerValues(headers, 'host')[0] ?? 'localhost';
    const facts = { host, secure: true, narrows };
    const request: RequestContext = { entryPoint: edge, method, uri, headers, ...facts };
    const decide = async (asked: RequestContext) =>
      edge === 'authenticated' && (user !== undefined || role !== undefined)
        ? evaluate(asked, await authenticationAs(dependencies, user, role), settings.rules)
        : (await dependencies.evaluate(asked)).decision;
    const decision = await decide(request);
    return explained(
      c,
      settings,
      request,
      ofOwnFront.has(decision.reason) ? await decide({ ...request, front: settings.ownFront }) : decision,
    );
  },
});

async function authenticationAs(
  { users, settings, requireCurrentRoles }: ExplainDependencies,
  user: string | undefined,
  role: string | undefined,
): Promise<Authentication> {
  await requireCurrentRoles();
  const found = user === undefined ? undefined : await users.find(user);
  if (user !== undefined && found === undefined) throw new AppError('user_unknown');
  const { customRoles } = settings.rules;
  if (role !== undefined && !isDefinedRole(role, customRoles))
    throw invalid(['body', 'role'], 'There is no such role');
  if (found?.blocked !== undefined) return { refused: 'user_blocked' };
  if (found?.issuer !== undefined && found.issuer !== settings.issuer) return { refused: 'provider_removed' };
  const now = currentRole(role ?? found?.role ?? '', customRoles);
  const identity = plainIdentity(user ?? 'somebody', now, 'bearer');
  const isRestricted = found !== undefined && lacksSecondFactor(found, now, settings.secondFactorFor);
  return { identity: isRestricted ? { ...identity, restricted: 'second_factor' } : identity };
}

function explained(
  c: ApiContext,
  settings: Settings,
  request: ExplainedRequest,
  decision: Decision,
): Explanation {
  return explanationOf(request, decision, settings, languageOf(c.req.header('accept-language')));
}

/** Decided by another process, or too long ago to be in memory. */
async function recorded({ auditRecords, settings }: ExplainDependencies, c: ApiContext, id: string) {
  if (!isDecisionId(id)) throw new AppError('decision_unknown');
  const { records } = await auditRecords.findPage({ events: ['refused'], decision: id, limit: 1 });
  const [record] = records;
  const found = record && recordedDecision(record);
  if (record === undefined || found === undefined) throw new AppError('decision_unknown');
  const said = explained(c, settings, found.request, found.decision);
  const first = explainRecord(record.time, languageOf(c.req.header('accept-language')));
  return { decision: id, recorded: true as const, ...said, steps: [first, ...said.steps] };
}
