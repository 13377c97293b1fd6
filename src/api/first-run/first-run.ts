import { Hono } from 'hono';
import * as v from 'valibot';
import { findSteps } from '../../doctor/gate/first-steps.ts';
import type { GateState } from '../../doctor/gate/gate-checks.ts';
import { validBody } from '../../validation.ts';
import type { ApiEnvironment } from '../request-context.ts';

export const seenFact = v.object({ fact: v.picklist(['shown', 'checked']) });

/** `/postern/api/first-run`, for admins: the steps that lead from a new gate to one that is used. */
export function firstRunRoutes(gate: GateState) {
  const { firstRun } = gate;
  return new Hono<ApiEnvironment>()
    .get('/', async (c) => {
      const [{ shown }, generated, steps] = await Promise.all([
        firstRun.facts(),
        firstRun.generatedPasswordOf(),
        findSteps(gate),
      ]);
      return c.json({ shown, generated_password_of: generated, steps: [...steps] });
    })

    .post('/', validBody(seenFact), async (c) => {
      await firstRun.note(c.req.valid('json').fact, c.var.permit);
      return c.body(null, 204);
    });
}

export type FirstRunApi = ReturnType<typeof firstRunRoutes>;
