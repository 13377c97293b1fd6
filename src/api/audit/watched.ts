import * as v from 'valibot';
import { type Viewing, cursorForm, type WatchedFilter, type WatchedPage } from '../../audit/viewing.ts';
import { limit } from '../../audit/audit-query.ts';
import { endpoint } from '../endpoint.ts';

export interface WatchedDependencies {
  readonly viewing: Pick<Viewing, 'flush'>;
  readonly findWatched: (filter: WatchedFilter) => Promise<WatchedPage>;
  /** Whether the audit records it. */
  readonly recordsViewing: boolean;
}

const text = v.nullable(v.string());
const moment = v.pipe(v.number(), v.description('Seconds since the epoch.'));
const footage = v.pipe(
  v.nullable(v.strictObject({ from: moment, to: moment })),
  v.description('Which time of the recordings; null: it was live, or the path named no time.'),
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
    before: v.optional(cursorForm),
    limit: v.optional(limit, '100'),
  }),
  queryParameters: {
    user: 'The user, exactly.',
    camera: 'The camera, exactly.',
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
