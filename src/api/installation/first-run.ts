import * as v from 'valibot';
import { firstRunFacts } from '../../accounts/users/first-run.ts';
import { findSteps, stepNames, type GateState } from '../doctor/gate-checks.ts';
import { endpoint } from '../endpoint.ts';

const seenFact = v.object({ fact: v.picklist(firstRunFacts) });

/** The setup steps of a new gate. */
export const readSteps = endpoint({
  method: 'get',
  path: '/postern/api/first-run',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'List the setup steps',
  description:
    'Postern checks whether a step is done: no password is a generated one, the recorder answers, the house has a face, and an admin has seen that the checks find no fault. Behind single sign-on there is no step for passwords.',
  answers: {
    200: {
      meaning: 'The steps, in order.',
      body: v.strictObject({
        shown: v.pipe(v.boolean(), v.description('Whether an admin has seen them.')),
        generated_password_of: v.pipe(
          v.nullable(v.string()),
          v.description('Users who still have the generated password from the log.'),
        ),
        steps: v.array(v.strictObject({ name: v.picklist(stepNames), done: v.boolean() })),
      }),
    },
  },
  handle: (gate: GateState) => async () => {
    const { firstRun } = gate;
    const [{ shown }, generated, steps] = await Promise.all([
      firstRun.facts(),
      firstRun.generatedPasswordOf(),
      findSteps(gate),
    ]);
    return { shown, generated_password_of: generated, steps: [...steps] };
  },
});

export const noteSeen = endpoint({
  method: 'post',
  path: '/postern/api/first-run',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'Mark the steps or the checks as seen, or the name of the house as chosen',
  body: seenFact,
  bodyExample: { fact: 'shown' },
  answers: { 204: { meaning: 'Noted.' } },
  handle:
    ({ firstRun }: GateState) =>
    async (c) => {
      await firstRun.note(c.req.valid('json').fact, c.var.permit);
    },
});
