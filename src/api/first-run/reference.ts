import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import { seenFact } from './first-run.ts';
import { stepNames } from '../../doctor/gate/first-steps.ts';

export const readSteps: Reference = {
  summary: 'The steps of the first run',
  description:
    'A step is done by what the gate finds: no password is a generated one, the recorder answers, there are two users, and an admin has seen that the checks find no fault. Behind a single sign-on there are no steps of accounts.',
  answers: {
    200: {
      meaning: 'In their order.',
      body: v.strictObject({
        shown: v.pipe(v.boolean(), v.description('Whether an admin has seen them.')),
        generated_password_of: v.pipe(
          v.nullable(v.string()),
          v.description('Whose password is still the one that the log has told.'),
        ),
        steps: v.array(v.strictObject({ name: v.picklist(stepNames), done: v.boolean() })),
      }),
    },
  },
};

export const noteSeen: Reference = {
  summary: 'Note that an admin has seen the steps, or the checks',
  body: seenFact,
  bodyExample: { fact: 'shown' },
  answers: { 204: { meaning: 'Noted.' } },
};
