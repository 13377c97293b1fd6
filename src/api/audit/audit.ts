import * as v from 'valibot';
import type { AuditEvent } from '../../audit/audit-events.ts';
import { auditEvents } from '../../audit/audit-events.ts';
import { auditFilter, auditQuery, type AuditRecord, type AuditRecords } from '../../audit/audit-query.ts';
import type { Clock } from '../../clock.ts';
import { languageOf, type Language } from '../../language/language.ts';
import { reasonText } from '../../language/reason-text.ts';
import { endpoint } from '../endpoint.ts';

/** What the UI has a word for each of; no code. */
export type AuditEventName = AuditEvent;

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

/** A record as the API gives it. */
export type ToldRecord = v.InferOutput<typeof record>;

export interface AuditDependencies {
  readonly auditRecords: AuditRecords;
  readonly clock: Clock;
}

export const listRecords = endpoint({
  method: 'get',
  path: '/postern/api/audit',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'Who did what',
  description:
    'Audit records, the newest first. A search looks at 100,000 records at most: a page may be short, or empty, while `next` leads to older ones that match.',
  query: auditQuery,
  queryParameters: {
    event: 'One event, or several with commas between them.',
    search:
      'A part of who did it, the role, the address, the object, the reason, the decision or the event; letter case does not count.',
    user: 'A part of who did it; letter case does not count.',
    address: 'A part of it, likewise.',
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
  handle:
    ({ auditRecords, clock }: AuditDependencies) =>
    async (c) => {
      const { records, next } = await auditRecords.findPage(auditFilter(c.req.valid('query'), clock.now()));
      const language = languageOf(c.req.header('accept-language'));
      return { records: records.map((record) => toldRecord(record, language)), next };
    },
});

function toldRecord(record: AuditRecord, language: Language): ToldRecord {
  const meaning = record.reason === null ? undefined : reasonText(record.reason, language)?.meaning;
  return {
    ...record,
    result: record.result as ToldRecord['result'],
    // Of a refusal, in the reader's language.
    reason_meaning: meaning ?? null,
  };
}
