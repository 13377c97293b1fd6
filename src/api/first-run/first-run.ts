import { Hono } from 'hono';
import * as v from 'valibot';
import { validBody } from '../../validation.ts';
import type { ApiEnvironment } from '../request-context.ts';
import { findSteps, type StepsDependencies } from './steps.ts';

export const seenFact = v.object({ fact: v.picklist(['shown', 'checked']) });

export type FirstRunDependencies = StepsDependencies;

/** `/postern/api/first-run`, for admins: the steps that lead from a new gate to one that is used. */
export function firstRunRoutes(dependencies: FirstRunDependencies) {
  const { firstRun } = dependencies;
  return new Hono<ApiEnvironment>()
    .get('/', async (c) => {
      const [{ shown }, { generated }] = await Promise.all([firstRun.facts(), firstRun.accounts()]);
      return c.json({
        shown,
        generated_password_of: generated,
        steps: [...(await findSteps(dependencies))],
      });
    })

    .post('/', validBody(seenFact), async (c) => {
      await firstRun.note(c.req.valid('json').fact, c.var.permit);
      return c.body(null, 204);
    });
}

export type FirstRunApi = ReturnType<typeof firstRunRoutes>;
