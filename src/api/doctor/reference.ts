import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import { checkNames } from './doctor.ts';

export const ownFindings: Reference = {
  summary: 'What the gate finds of itself',
  description:
    'The part of `postern doctor` that can be seen from inside. What others can reach, only the command finds out, from outside.',
  answers: {
    200: {
      meaning: 'Every check, and how this request came.',
      body: v.strictObject({
        checks: v.array(
          v.strictObject({
            name: v.picklist(checkNames),
            result: v.pipe(
              v.picklist(['ok', 'hint', 'fault', 'none']),
              v.description('`none`: there is nothing to look at.'),
            ),
            seen: v.pipe(v.array(v.string()), v.description('Names and words that belong to the result.')),
          }),
        ),
        request: v.pipe(
          v.strictObject({
            entry_point: v.picklist(['authenticated', 'internal']),
            address: v.string(),
            secure: v.boolean(),
            host: v.nullable(v.string()),
          }),
          v.description(
            'As the gate sees the client: another address than its own means that a front hides it.',
          ),
        ),
      }),
    },
  },
};
