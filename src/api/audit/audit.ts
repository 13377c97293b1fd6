import * as v from 'valibot';
import type { AuditEvent } from '../../audit/audit-events.ts';
import { auditEvents } from '../../audit/audit-events.ts';
import { auditFilter, auditQuery, type AuditRecord, type AuditRecords } from '../../audit/audit-query.ts';
import type { Clock } from '../../clock.ts';
import { languageOf, type Language } from '../../language/language.ts';
import { reasonText } from '../../language/reason-text.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { endpoint } from '../endpoint.ts';

/** The UI has a text for each reason except codes. */
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

/** A record as the API returns it. */
export type ToldRecord = v.InferOutput<typeof record>;

export interface AuditDependencies {
  readonly settings: Pick<Settings, 'zone'>;
  readonly auditRecords: AuditRecords;
  readonly clock: Clock;
}

export const listRecords = endpoint({
  method: 'get',
  path: '/postern/api/audit',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'List audit records',
  description:
    'The newest come first. A search looks at 100,000 records at most: a page may be short, or empty, while `next` leads to older ones that match.',
  query: auditQuery,
  queryParameters: {
    event: 'One event, or several, separated by commas.',
    search:
      'Part of the user, the role, the address, the object, the reason, the decision or the event; not case-sensitive.',
    user: 'Part of the user; not case-sensitive.',
    address: 'Part of the address; not case-sensitive.',
    result: '`success` or `failure`.',
    since:
      'Not older than this: an ISO 8601 time, in the `timezone` of the gate unless it has an offset, or a time ago (`2h`, `7d`).',
    until: 'Not newer than this, in the same forms.',
    before: 'The `next` of the previous page.',
    limit: '1 to 500.',
  },
  answers: {
    200: {
      meaning: 'A page.',
      body: v.strictObject({
        records: v.array(record),
        next: v.pipe(v.nullable(v.number()), v.description('`before` of the next page.')),
      }),
    },
  },
  handle:
    ({ settings, auditRecords, clock }: AuditDependencies) =>
    async (c) => {
      const { records, next } = await auditRecords.findPage(
        auditFilter(c.req.valid('query'), clock.now(), settings.zone),
      );
      const language = languageOf(c.req.header('accept-language'));
      return { records: records.map((record) => toldRecord(record, language)), next };
    },
});

function toldRecord(record: AuditRecord, language: Language): ToldRecord {
  const meaning = record.reason === null ? undefined : reasonText(record.reason, language)?.meaning;
  return {
    ...record,
    result: record.result as ToldRecord['result'],
    // Text of a refusal, in the reader's language.
    reason_meaning: meaning ?? null,
  };
}
