import * as v from 'valibot';
import type { Clock } from '../../clock.ts';
import type { AuditRecords } from '../../audit/audit-query.ts';
import { isDecisionId, type DecisionLog } from '../../access/decision-log.ts';
import type { Evaluate } from '../../access/current-roles.ts';
import { explain, explainRecord, missingIn, type ExplainedRequest, type Step } from '../../access/explain.ts';
import { recordedDecision } from '../../access/recorded-decision.ts';
import { AppError } from '../../errors.ts';
import { languageOf, type Language } from '../../language/language.ts';
import { reasonText } from '../../language/reason-text.ts';
import type { RequestContext } from '../../policy/request-context.ts';
import type { Decision } from '../../policy/decision.ts';
import { capabilities, type Capability } from '../../policy/capability.ts';
import { decideFor, requestFor, rulesAt, type Asking } from '../../policy/evaluate/camera-access.ts';
import { evaluate } from '../../policy/evaluate/evaluate.ts';
import { isGranted } from '../../policy/grant.ts';
import { accessOfRole } from '../../policy/role-access.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { Schedule } from '../../policy/schedule.ts';
import { accessOf } from '../../policy/token-scope.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { invalid } from '../../http/validation.ts';
import { assumeIdentity, type AssumedIdentityDependencies } from './access.ts';
import { endpoint } from '../endpoint.ts';
import type { ApiContext } from '../environment.ts';

const text = v.string('Input should be text');
const headerLines = v.array(v.tuple([text, text]), 'Input should be a list of [name, value]');

const explainedRequest = v.union(
  [
    v.object({ decision: text }),
    v.object({
      camera: text,
      /** The action to take on it. */
      to: v.picklist(capabilities),
      user: v.optional(text),
      role: v.optional(text),
      /** Seconds since the epoch; now if it is missing. */
      at: v.optional(
        v.pipe(
          v.number(),
          v.integer('Input should be whole seconds'),
          v.minValue(0),
          v.maxValue(99_999_999_999),
        ),
      ),
    }),
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
  'Input should name a decision, a camera and what to do with it, or a method and a uri',
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
  /** Cameras of the request. */
  readonly cameras: readonly string[];
  /** Those of them that are not granted now. */
  readonly not_granted: readonly string[];
  /** The word that the role lacks, for `role_may_not`. */
  readonly missing: Capability | null;
  readonly steps: readonly Step[];
}

function explanationOf(
  request: ExplainedRequest,
  decision: Decision,
  { rules, zone }: Settings,
  language: Language,
): Explanation {
  const { outcome, reason, identity, resource } = decision;
  const access = identity && accessOf(identity, rules.roles);
  const scheduled = (owner: 'role' | 'token', schedule: Schedule | undefined) =>
    schedule === undefined ? [] : [{ owner, schedule, isOpen: rules.stateOf(schedule).isOpen, zone }];
  const schedules = [
    ...scheduled('role', access?.schedule),
    ...scheduled('token', identity?.token?.schedule),
  ];
  const named = resource?.kind === 'cameras' ? resource.cameras : [];
  const grant = access?.cameras;
  return {
    verdict: outcome,
    reason,
    ...reasonText(reason, language),
    user: identity?.user ?? null,
    role: identity?.role ?? null,
    token_id: identity?.token?.id ?? null,
    cameras: named,
    not_granted: grant === undefined ? [] : named.filter((camera) => !isGranted(grant, camera)),
    missing: missingIn(decision) ?? null,
    steps: explain(request, decision, language, { schedules, may: access?.may, zone }),
  };
}

export interface ExplainDependencies extends AssumedIdentityDependencies {
  readonly evaluate: Evaluate;
  readonly clock: Clock;
  readonly decisions: DecisionLog;
  readonly auditRecords: Pick<AuditRecords, 'findPage'>;
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
    'It takes the id of a decision (`x-postern-decision`, and `decision` in the log), a task with a camera, or a request that has not been made. Each process remembers its own last 10,000 decisions; for refusals of other processes the audit is searched.',
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
        cameras: v.pipe(v.array(v.string()), v.description('Cameras of the request.')),
        not_granted: v.pipe(v.array(v.string()), v.description('Those of them that are not granted now.')),
        missing: v.pipe(
          v.nullable(v.picklist(capabilities)),
          v.description('What the role may not do and the path needs, for `role_may_not`.'),
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
    if ('camera' in asked) {
      const asking = await aboutCamera(dependencies, asked);
      const decision = decideFor(asked.to, asked.camera, asking);
      const then = { ...settings, rules: rulesAt(asking) };
      return explained(c, then, requestFor(asked.to, asked.camera, asking), decision);
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
        ? evaluate(
            asked,
            (await assumeIdentity(dependencies, { user, role }, 'body')).authentication,
            settings.rules,
          )
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

interface AboutCamera {
  readonly user?: string | undefined;
  readonly role?: string | undefined;
  readonly at?: number | undefined;
}

async function aboutCamera(
  dependencies: ExplainDependencies,
  { user, role, at }: AboutCamera,
): Promise<Asking> {
  if (user === undefined && role === undefined) throw invalid(['body', 'user'], 'Name a user or a role');
  const { settings, clock } = dependencies;
  const assumed = await assumeIdentity(dependencies, { user, role }, 'body');
  return {
    authentication: assumed.authentication,
    schedule: accessOfRole(assumed.role, settings.rules.roles).schedule,
    rules: settings.rules,
    front: settings.ownFront,
    at: at === undefined ? clock.now() : at * 1_000,
    zone: settings.zone,
  };
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
