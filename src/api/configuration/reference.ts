import * as v from 'valibot';
import type { Reference } from '../endpoint.ts';

const problem = v.strictObject({ path: v.string(), found: v.string(), allowed: v.string() });

export const currentConfiguration: Reference = {
  summary: 'The current configuration, and how the last reload ended',
  answers: {
    200: {
      meaning: 'Without any secret.',
      body: v.strictObject({
        version: v.string(),
        started_at: v.number(),
        hash: v.pipe(v.string(), v.description('Of the current configuration.')),
        in_force_since: v.number(),
        warnings: v.pipe(
          v.array(v.string()),
          v.description('What of it is worth a second look; the start says it too.'),
        ),
        last_reload: v.strictObject({
          successful: v.boolean(),
          at: v.number(),
          cause: v.string(),
          problems: v.array(problem),
          waiting: v.pipe(v.array(v.string()), v.description('Keys whose change waits for a restart.')),
        }),
      }),
    },
  },
};
