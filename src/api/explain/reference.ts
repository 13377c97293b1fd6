import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';
import { explainedRequest } from './explain.ts';

export const explainDecision: Reference = {
  summary: 'Why a request was decided as it was, or would be',
  description:
    'By the id of a decision (`x-postern-decision`, and `decision` in the log), or for a request that nobody has made. Each process remembers its own last 10,000 decisions; of a refusal of another one the audit tells.',
  body: explainedRequest,
  bodyExample: { role: 'neighbour', method: 'GET', uri: '/api/garage/latest.jpg' },
  answers: {
    200: {
      meaning: 'The decision and what led to it.',
      body: v.strictObject({
        decision: v.optional(v.string()),
        recorded: v.optional(
          v.pipe(
            v.literal(true),
            v.description(
              'The process that was asked does not remember the decision: another one made it, or it is long ago. The audit record says who, what and why; the access rule and the cameras are not in it.',
            ),
          ),
        ),
        verdict: v.picklist(['allow', 'unauthenticated', 'forbidden']),
        reason: v.string(),
        meaning: v.pipe(v.string(), v.description('What the reason means, by `Accept-Language`.')),
        advice: v.pipe(
          v.string(),
          v.description('What to do about it, likewise. Code is between backticks.'),
        ),
        user: v.nullable(v.string()),
        role: v.nullable(v.string()),
        token_id: v.pipe(
          v.nullable(v.string()),
          v.description('The API token by which it is known who asks.'),
        ),
        not_granted: v.pipe(
          v.array(v.string()),
          v.description('Of the cameras that the request is about, those that are not granted now.'),
        ),
        steps: v.array(v.strictObject({ step: v.string(), says: v.string() })),
      }),
    },
    404: {
      meaning: 'Neither the process nor the audit knows the decision any more, or there is no such user.',
    },
  },
};
