import { Hono } from 'hono';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { isDefinedRole, roleInForce } from '../policy/grant.ts';
import { judge, type Judgement } from '../policy/judge.ts';
import { headerValues } from '../policy/raw-headers.ts';
import type { AccessRequest, Subject } from '../policy/verdict.ts';
import { invalid, validBody } from '../validation.ts';
import type { Consider } from './authoriser.ts';
import type { DecisionLog } from './decision-log.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { explain, type ExplainedRequest, type Step } from './explain.ts';
import type { GatewayEnvironment } from './gateway-environment.ts';

const text = v.string('Input should be text');
const headerLines = v.array(v.tuple([text, text]), 'Input should be a list of [name, value]');

export const question = v.union(
  [
    v.object({ decision: text }),
    v.object({
      method: text,
      uri: text,
      edge: v.optional(v.picklist(['authenticated', 'internal']), 'authenticated'),
      /** As whom: a user of the accounts, a role, or whoever the headers say. */
      user: v.optional(text),
      role: v.optional(text),
      headers: v.optional(headerLines, []),
    }),
  ],
  'Input should name a decision, or a method and a uri',
);

interface Explanation {
  readonly verdict: string;
  readonly reason: string;
  readonly steps: readonly Step[];
}

function explanationOf(request: ExplainedRequest, judgement: Judgement): Explanation {
  const { kind, reason } = judgement.verdict;
  return { verdict: kind, reason, steps: explain(request, judgement) };
}

/** `POST /api/explain`, for admins: what the gate decided, or would decide at this moment, and why. */
export function explainRoutes(
  { users, inForce }: GatewayDependencies,
  consider: Consider,
  decisions: DecisionLog,
) {
  const asSubject = async (user: string | undefined, role: string | undefined): Promise<Subject> => {
    const found = user === undefined ? undefined : await users.find(user);
    if (user !== undefined && found === undefined) throw new AppError('user_unknown');
    const { customRoles } = inForce().rules;
    if (role !== undefined && !isDefinedRole(role, customRoles))
      throw invalid(['body', 'role'], 'There is no such role');
    return {
      user: user ?? 'somebody',
      role: roleInForce(role ?? found?.role ?? '', customRoles),
      source: 'bearer',
      groups: '',
      email: '',
      name: '',
    };
  };

  return new Hono<GatewayEnvironment>().post('/', validBody(question), async (c) => {
    const asked = c.req.valid('json');
    if ('decision' in asked) {
      const kept = decisions.find(asked.decision);
      if (kept === undefined) throw new AppError('decision_unknown');
      return c.json({ decision: kept.id, ...explanationOf(kept.request, kept) });
    }
    const { method, uri, edge, user, role, headers: sent } = asked;
    const headers = sent.flat();
    const host = headerValues(headers, 'host')[0] ?? 'localhost';
    const request: AccessRequest = { edge, method, uri, headers, host, secure: true };
    const judgement =
      edge === 'authenticated' && (user !== undefined || role !== undefined)
        ? judge(request, { subject: await asSubject(user, role) }, inForce().rules)
        : (await consider(request)).judgement;
    return c.json(explanationOf(request, judgement));
  });
}
