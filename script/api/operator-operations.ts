import * as v from 'valibot';
import { auditEvents } from '../../src/audit/audit-events.ts';
import { auditFilter } from '../../src/audit/audit-query.ts';
import type { Operation } from './operation.ts';

const text = v.nullable(v.string());
const record = v.strictObject({
  id: v.number(),
  time: v.pipe(v.string(), v.description('ISO 8601, in UTC.')),
  event: v.picklist(Object.keys(auditEvents)),
  result: v.picklist(['success', 'failure']),
  user: text,
  role: text,
  source: text,
  address: text,
  object: text,
  reason: text,
  reason_meaning: text,
  decision: text,
  detail: v.record(v.string(), v.unknown()),
});
const problem = v.strictObject({ path: v.string(), found: v.string(), allowed: v.string() });

/** For whoever operates the gate. */
export const operatorOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/audit',
    tag: 'Operation',
    summary: 'Who did what',
    description: 'Audit records, the newest first.',
    audience: 'admin',
    query: auditFilter({ now: () => 0 }),
    queryParameters: {
      event: 'One event, or several with commas between them.',
      user: 'Who did it.',
      address: 'From where.',
      result: '`success` or `failure`.',
      since: 'Not older: an ISO 8601 time, or how long ago (`2h`, `7d`).',
      until: 'Not newer, likewise.',
      before: 'The `next` of another page.',
      limit: '1 to 500.',
    },
    answers: {
      200: {
        meaning: 'A page.',
        body: v.strictObject({
          records: v.array(record),
          next: v.pipe(v.nullable(v.number()), v.description('What `before` of the next page is.')),
        }),
      },
    },
  },
  {
    method: 'get',
    path: '/api/configuration',
    tag: 'Operation',
    summary: 'What is in force, and how the last reload ended',
    audience: 'admin',
    answers: {
      200: {
        meaning: 'Without any secret.',
        body: v.strictObject({
          version: v.string(),
          started_at: v.number(),
          hash: v.pipe(v.string(), v.description('Of the configuration in force.')),
          in_force_since: v.number(),
          warnings: v.pipe(
            v.array(v.string()),
            v.description('What is in force and worth a second look; the start says it too.'),
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
  },
];
