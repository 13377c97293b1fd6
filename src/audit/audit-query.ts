import { sql, type Selectable, type SelectQueryBuilder } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import type { ActivityTables } from '../store/activity-schema.ts';
import type { Activity } from '../store/store.ts';
import { plainText } from './audit-entry.ts';
import { auditEvents, isAuditEvent } from './audit-events.ts';
import { contains, searchedColumns, parseMoment } from './query-texts.ts';

/** All given conditions must hold. */
export interface AuditFilter {
  readonly events?: readonly string[] | undefined;
  /** Part of any text of the record. This and the next two ignore case. */
  readonly search?: string | undefined;
  /** Part of the user name. */
  readonly user?: string | undefined;
  /** Part of the address. */
  readonly address?: string | undefined;
  readonly result?: 'success' | 'failure' | undefined;
  /** Id of the decision. */
  readonly decision?: string | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly since?: number | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly until?: number | undefined;
  /** Id of a record: only events before it. */
  readonly before?: number | undefined;
  /** Id of a record: only those written after it. */
  readonly after?: number | undefined;
  readonly limit: number;
}

/** A record as it is shown. Unknown values are null. */
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

/** Newest event first; within the same moment, the last written first. */
export interface AuditRecords {
  find(filter: AuditFilter): Promise<AuditRecord[]>;
  /** Reads a bounded number of records: a page may be short or empty although older records match. */
  findPage(filter: AuditFilter): Promise<AuditPage>;
}

interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** `before` of the next page; null: none. */
  readonly next: number | null;
}

type Records = SelectQueryBuilder<ActivityTables, 'audit_records', object>;

/** A record's place in the order of events. */
interface Place {
  readonly atSeconds: number;
  readonly id: number;
}

// Each slice blocks the thread, for two to four milliseconds when no record contains the text.
const sliceSize = 2_000;

// Records read for one page: a tenth of a second.
const mostLookedAt = 100_000;

export function createAuditRecords(activity: Activity, most = mostLookedAt): AuditRecords {
  /** @returns `undefined` if the record has been removed, and all older ones with it */
  const placeOf = async (id: number): Promise<Place | undefined> => {
    const query = activity.selectFrom('audit_records').select('recorded_at').where('record_id', '=', id);
    const found = await query.executeTakeFirst();
    return found && { atSeconds: found.recorded_at, id };
  };
  /** @returns the matching records, and the last one that was read unless it was the very last */
  const look = async (filter: AuditFilter, mostLooked: number) => {
    const { before, limit } = filter;
    const records = activity.selectFrom('audit_records');
    const endOf = (slice: Records) =>
      slice
        .select(['recorded_at as atSeconds', 'record_id as id'])
        .limit(1)
        .offset(sliceSize - 1)
        .executeTakeFirst();
    const [leading, others] = await parted(
      activity,
      filter,
      async (narrow) => (await endOf(sorted(narrow(records)))) === undefined,
    );
    // Without a match, a search would read all records along the index: it goes slice by slice, so that decisions can
    // run in between.
    // Few records follow `after`.
    const isSliced = filter.after === undefined;
    let place = before === undefined ? undefined : await placeOf(before);
    const gone = before !== undefined && place === undefined ? before : undefined;
    const found: AuditRecord[] = [];
    for (let looked = sliceSize; ; looked += sliceSize) {
      const slice = sorted(behind(leading(records), place));
      const part = isSliced
        ? activity.selectFrom(slice.selectAll().limit(sliceSize).as('audit_records'))
        : slice;
      const rows = await sorted(others(part))
        .$if(gone !== undefined, (query) => query.where('record_id', '<', gone ?? 0))
        .selectAll()
        .limit(limit - found.length)
        .execute();
      found.push(...rows.map(recordOf));
      if (found.length === limit || !isSliced) return { found };
      const last = await endOf(slice);
      if (last === undefined) return { found };
      if (looked >= mostLooked) return { found, end: last.id };
      place = last;
      await nextTurn();
    }
  };
  return {
    find: async (filter) => (await look(filter, Number.POSITIVE_INFINITY)).found,
    findPage: async ({ limit, ...filter }) => {
      // One more than requested shows whether there are more.
      const { found, end = null } = await look({ ...filter, limit: limit + 1 }, most);
      const records = found.slice(0, limit);
      return { records, next: found.length > limit ? (records.at(-1)?.id ?? null) : end };
    },
  };
}

/**
 * @param isShort whether one slice holds everything
 * @returns the conditions that an index answers in record order, and those that are checked row by row
 */
async function parted(
  activity: Activity,
  { events, search, user, address, result, decision, since, until, after }: AuditFilter,
  isShort: (narrow: Narrow) => Promise<boolean>,
): Promise<readonly [leading: Narrow, others: Narrow]> {
  const equal: Narrow[] = [];
  if (events?.length === 1) equal.push((query) => query.where('event', 'in', events));
  if (result !== undefined) equal.push((query) => query.where('result', '=', result));
  const range: Narrow = (query) =>
    query
      .$if(since !== undefined, (some) => some.where('recorded_at', '>=', (since ?? 0) / 1000))
      .$if(until !== undefined, (some) => some.where('recorded_at', '<=', (until ?? 0) / 1000));
  let lead = equal[0];
  for (const narrow of equal.length > 1 ? equal : []) {
    if (!(await isShort((query) => range(narrow(query))))) continue;
    lead = narrow;
    break;
  }
  return [
    (query) => range(lead === undefined ? query : lead(query)),
    (query) => {
      let looked = equal.filter((narrow) => narrow !== lead).reduce((made, narrow) => narrow(made), query);
      if (events !== undefined && events.length > 1) looked = looked.where('event', 'in', events);
      if (user !== undefined) looked = looked.where(contains(activity, ['username'], user));
      if (address !== undefined) looked = looked.where(contains(activity, ['address'], address));
      if (decision !== undefined) looked = looked.where('decision', '=', decision);
      if (search !== undefined) looked = looked.where(contains(activity, searchedColumns, search));
      return after === undefined ? looked : looked.where('record_id', '>', after);
    },
  ];
}

type Narrow = (query: Records) => Records;

function behind(query: Records, place: Place | undefined): Records {
  if (place === undefined) return query;
  return query.where(sql<boolean>`(recorded_at, record_id) < (${place.atSeconds}, ${place.id})`);
}

function sorted(query: Records): Records {
  return query.orderBy('recorded_at', 'desc').orderBy('record_id', 'desc');
}

type AuditRow = Selectable<ActivityTables['audit_records']>;

/** Escapes control characters whatever the row contains. */
function recordOf(row: AuditRow): AuditRecord {
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
  v.metadata({ type: 'array', items: { type: 'string', enum: Object.keys(auditEvents) }, minItems: 1 }),
  v.transform((text) => text.split(',').map((name) => name.trim())),
  v.check(
    (names) => names.every(isAuditEvent),
    `Events should be one or several, by commas, of ${Object.keys(auditEvents).join(', ')}`,
  ),
);
const filterText = v.pipe(
  v.string(),
  v.minLength(1, 'Input should not be empty'),
  v.metadata({ maxLength: 256 }),
  v.check((text) => [...text].length <= 256, 'Input should have at most 256 characters'),
);
const recordId = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,14}$/, 'Input should be the id of a record'),
  v.metadata({ type: 'integer', pattern: undefined, minimum: 1, maximum: 999_999_999_999_999 }),
  v.transform(Number),
);
export const limit = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,2}$/, `Input should be 1 to ${mostRecords}`),
  v.metadata({ type: 'integer', pattern: undefined, minimum: 1, maximum: mostRecords }),
  v.transform(Number),
  v.maxValue(mostRecords, `Input should be 1 to ${mostRecords}`),
);

const moment = v.pipe(
  v.string(),
  v.check(
    (text) => parseMoment(text, 0, 'UTC') !== undefined,
    'Input should be a time such as 2026-01-31T18:00:00Z, or a duration until now such as 30m, 2h or 7d',
  ),
);

/** The filters as users type them: in the API's query, and in the command's options. */
export const auditQuery = v.strictObject({
  event: v.optional(events),
  search: v.optional(filterText),
  user: v.optional(filterText),
  address: v.optional(filterText),
  result: v.optional(v.picklist(['success', 'failure'], 'Input should be success or failure')),
  since: v.optional(moment),
  until: v.optional(moment),
  before: v.optional(recordId),
  limit: v.optional(limit, '100'),
});

/**
 * @param now milliseconds since the epoch, when durations end
 * @param zone of times without an offset
 */
export function auditFilter(
  { event: events, since, until, ...others }: v.InferOutput<typeof auditQuery>,
  now: number,
  zone: string,
): AuditFilter {
  const momentOf = (text: string | undefined) =>
    text === undefined ? undefined : parseMoment(text, now, zone);
  return { ...others, events, since: momentOf(since), until: momentOf(until) };
}
