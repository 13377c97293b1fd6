import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import { type AuditEvent, auditEvents } from '../../audit/audit-events.ts';
import {
  type AuditRecord,
  type AuditRecords,
  auditFilter,
  auditQuery,
  limit,
} from '../../audit/audit-query.ts';
import { type Viewing, type WatchedFilter, type WatchedPage, cursorForm } from '../../audit/viewing.ts';
import type { Clock } from '../../clock.ts';
import { type Language, languageOf } from '../../language/language.ts';
import { reasonText } from '../../language/reason-text.ts';
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
      'Not older than this: an ISO 8601 time, in the `timezone` of Postern unless it has an offset, or a time ago (`2h`, `7d`).',
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

export interface WatchedDependencies {
  readonly viewing: Pick<Viewing, 'flush'>;
  readonly findWatched: (filter: WatchedFilter) => Promise<WatchedPage>;
  /** Whether the audit records it. */
  readonly recordsViewing: boolean;
}

const moment = v.pipe(v.number(), v.description('Seconds since the epoch.'));
const footage = v.pipe(
  v.nullable(v.strictObject({ from: moment, to: moment })),
  v.description('Which time of the recordings; null: it was live, or the path named no time.'),
);

const epochSeconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,12}$/, 'Input should be seconds since the epoch'),
  v.transform(Number),
);

export const listWatched = endpoint({
  method: 'get',
  path: '/postern/api/audit/watched',
  level: 'admin-only',
  tag: 'Operation',
  summary: 'List who watched what',
  description:
    'One record for each stretch in which someone watched a camera; pauses of up to five minutes do not end it. Needs `audit.viewing`.',
  query: v.strictObject({
    user: v.optional(v.string()),
    camera: v.optional(v.string()),
    since: v.optional(epochSeconds),
    until: v.optional(epochSeconds),
    before: v.optional(cursorForm),
    limit: v.optional(limit, '100'),
  }),
  queryParameters: {
    user: 'The user, exactly.',
    camera: 'The camera, exactly.',
    since: 'Stretches that began at this time or later, in seconds since the epoch.',
    until: 'Stretches that began before this time, in the same form.',
    before: 'The `next` of the previous page.',
    limit: '1 to 500.',
  },
  answers: {
    200: {
      meaning: 'A page, the newest stretch first.',
      body: v.strictObject({
        recorded: v.pipe(v.boolean(), v.description('Whether `audit.viewing` is set.')),
        records: v.array(
          v.strictObject({
            id: v.string(),
            user: v.string(),
            source: v.string(),
            by: v.pipe(text, v.description('Id of the session, API token, display or share.')),
            address: v.string(),
            camera: v.string(),
            kind: v.picklist(['live', 'recorded']),
            from: moment,
            to: moment,
            footage,
          }),
        ),
        next: v.pipe(text, v.description('`before` of the next page.')),
      }),
    },
  },
  handle:
    ({ viewing, findWatched, recordsViewing }: WatchedDependencies) =>
    async (c) => {
      await viewing.flush();
      const { rows, next } = await findWatched(c.req.valid('query'));
      return {
        recorded: recordsViewing,
        records: rows.map((row) => ({
          id: row.watch_id,
          user: row.username,
          source: row.source,
          by: row.by_id,
          address: row.address,
          camera: row.camera,
          kind: row.kind,
          from: row.began_at,
          to: row.ended_at,
          footage: row.footage_to === 0 ? null : { from: row.footage_from, to: row.footage_to },
        })),
        next: next ?? null,
      };
    },
});
