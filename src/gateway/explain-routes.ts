import { Hono } from 'hono';
import * as v from 'valibot';
import { AppError } from '../errors.ts';
import { judge } from '../policy/judge.ts';
import type { AccessRequest, Subject } from '../policy/verdict.ts';
import { invalid, validBody } from '../validation.ts';
import type { Consider } from './authoriser.ts';
import type { DecisionLog } from './decision-log.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { explain, type Step } from './explain.ts';
import type { GatewayEnvironment } from './gateway-environment.ts';

const text = v.string('Input should be text');
const headers = v.array(v.tuple([text, text]), 'Input should be a list of [name, value]');

const question = v.union(
  [
    v.object({ decision: text }),
    v.object({
      method: text,
      uri: text,
      edge: v.optional(v.picklist(['authenticated', 'internal']), 'authenticated'),
      /** As whom: a user of the accounts, a role, or whoever the headers say. */
      user: v.optional(text),
      role: v.optional(text),
      headers: v.optional(headers, []),
    }),
  ],
  'Input should name a decision, or a method and a uri',
);

interface Explanation {
  readonly decision?: string;
  readonly verdict: string;
  readonly reason: string;
  readonly steps: readonly Step[];
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
    const name = role ?? found?.role ?? '';
    const isRole = name === 'admin' || name === 'viewer' || customRoles.has(name);
    if (role !== undefined && !isRole) throw invalid(['body', 'role'], 'There is no such role');
    return {
      user: user ?? 'somebody',
      role: isRole ? name : 'viewer',
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
      const { verdict, reason } = { verdict: kept.verdict.kind, reason: kept.verdict.reason };
      return c.json<Explanation>({ decision: kept.id, verdict, reason, steps: explain(kept.request, kept) });
    }
    const { method, uri, edge, user, role, headers: sent } = asked;
    const request: AccessRequest = { edge, method, uri, headers: sent.flat(), host: undefined, secure: true };
    const judgement =
      edge === 'authenticated' && (user !== undefined || role !== undefined)
        ? judge(request, { subject: await asSubject(user, role) }, inForce().rules)
        : (await consider(request)).judgement;
    const { kind, reason } = judgement.verdict;
    return c.json<Explanation>({ verdict: kind, reason, steps: explain(request, judgement) });
  });
}
