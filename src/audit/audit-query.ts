import type { Selectable } from 'kysely';
import * as v from 'valibot';
import type { ActivityTables } from '../store/activity-schema.ts';
import type { Activity } from '../store/store.ts';
import { plainText } from './audit-entry.ts';
import { auditEvents, isAuditEvent } from './audit-events.ts';
import { parseMoment } from './moment.ts';

/** Which records are looked for; all that is given must hold. */
export interface AuditFilter {
  /** One of these. */
  readonly events?: readonly string[] | undefined;
  /** Who did it. */
  readonly user?: string | undefined;
  readonly address?: string | undefined;
  readonly result?: 'success' | 'failure' | undefined;
  /** Seconds since the epoch, inclusive. */
  readonly since?: number | undefined;
  /** Seconds since the epoch, inclusive. */
  readonly until?: number | undefined;
  /** Id of a record: only what happened before it. */
  readonly before?: number | undefined;
  /** Only records with a higher id: what was written later. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** A record as it is shown. What is not known is null. */
export interface AuditRecord {
  readonly id: number;
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly event: string;
  readonly result: string;
  readonly user: string | null;
  readonly role: string | null;
  readonly source: string | null;
  readonly address: string | null;
  readonly object: string | null;
  readonly reason: string | null;
  readonly decision: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditRecords {
  /** @returns what happened last first, and of the same moment what was written last */
  find(filter: AuditFilter): Promise<AuditRecord[]>;
}

export function createAuditRecords(activity: Activity): AuditRecords {
  /** @returns undefined when the record is gone, and with it what was older */
  const momentOf = async (id: number) => {
    const query = activity.selectFrom('audit_records').select('recorded_at').where('record_id', '=', id);
    return (await query.executeTakeFirst())?.recorded_at;
  };
  return {
    find: async ({ events, user, address, result, since, until, before, after, limit }) => {
      let query = activity.selectFrom('audit_records').selectAll();
      if (events !== undefined) query = query.where('event', 'in', events);
      if (user !== undefined) query = query.where('username', '=', user);
      if (address !== undefined) query = query.where('address', '=', address);
      if (result !== undefined) query = query.where('result', '=', result);
      if (since !== undefined) query = query.where('recorded_at', '>=', since);
      if (until !== undefined) query = query.where('recorded_at', '<=', until);
      if (before !== undefined) {
        const moment = await momentOf(before);
        query =
          moment === undefined
            ? query.where('record_id', '<', before)
            : query
                .where('recorded_at', '<=', moment)
                .where((is) => is.or([is('recorded_at', '<', moment), is('record_id', '<', before)]));
      }
      if (after !== undefined) query = query.where('record_id', '>', after);
      const rows = await query
        .orderBy('recorded_at', 'desc')
        .orderBy('record_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(recordOf);
    },
  };
}

type Row = Selectable<ActivityTables['audit_records']>;

/** Whatever is in the row, what is shown speaks to no terminal. */
function recordOf(row: Row): AuditRecord {
  const text = (value: string | null) => (value === null ? null : plainText(value, longestText));
  return {
    id: row.record_id,
    time: timeOf(row.recorded_at),
    event: plainText(row.event, longestText),
    result: plainText(row.result, longestText),
    user: text(row.username),
    role: text(row.role),
    source: text(row.source),
    address: text(row.address),
    object: text(row.object),
    reason: text(row.reason),
    decision: text(row.decision),
    detail: detailOf(row.detail),
  };
}

const longestText = 512;

function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

function detailOf(text: string | null): AuditRecord['detail'] {
  if (text === null) return {};
  try {
    const plain = (_: string, value: unknown) =>
      typeof value === 'string' ? plainText(value, longestText) : value;
    const detail: unknown = JSON.parse(text, plain);
    return typeof detail === 'object' && detail !== null ? { ...detail } : {};
  } catch {
    return {};
  }
}

const mostRecords = 500;

const events = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((name) => name.trim())),
  v.check(
    (names) => names.every(isAuditEvent),
    `Events should be one or several, by commas, of ${Object.keys(auditEvents).join(', ')}`,
  ),
);
const filterText = v.pipe(v.string(), v.minLength(1, 'Input should not be empty'), v.maxLength(256));
const recordId = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,14}$/, 'Input should be the id of a record'),
  v.transform(Number),
);
const limit = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,2}$/, `Input should be 1 to ${mostRecords}`),
  v.transform(Number),
  v.maxValue(mostRecords, `Input should be 1 to ${mostRecords}`),
);

/**
 * The filters as somebody types them: of the API's query, and of the command's options.
 * @param now milliseconds since the epoch, from which durations count
 */
export function auditFilter(now: () => number) {
  const moment = v.pipe(
    v.string(),
    v.check(
      (text) => parseMoment(text, now()) !== undefined,
      'Input should be a time such as 2026-01-31T18:00:00Z, or a duration until now such as 30m, 2h or 7d',
    ),
    v.transform((text) => parseMoment(text, now()) ?? 0),
  );
  return v.strictObject({
    event: v.optional(events),
    user: v.optional(filterText),
    address: v.optional(filterText),
    result: v.optional(v.picklist(['success', 'failure'], 'Input should be success or failure')),
    since: v.optional(moment),
    until: v.optional(moment),
    before: v.optional(recordId),
    limit: v.optional(limit, '100'),
  });
}
