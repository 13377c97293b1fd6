import * as v from 'valibot';
import type { ActivityTables } from '../store/activity-schema.ts';
import type { Activity } from '../store/store.ts';
import type { Selectable } from 'kysely';

/** All given conditions must hold. */
export interface WatchedFilter {
  readonly user?: string | undefined;
  readonly camera?: string | undefined;
  /** `next` of the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface WatchedPage {
  readonly rows: ReadonlyArray<Selectable<ActivityTables['watched']>>;
  /** `before` of the next page; undefined: none. */
  readonly next: string | undefined;
}

const cursor = /^(\d{1,12})~([0-9a-f-]{36})$/;
export const cursorForm = v.pipe(v.string(), v.regex(cursor, 'Input should be the next of a page'));

/** Reads who watched what, the newest stretch first. */
export async function findWatched(
  activity: Activity,
  { user, camera, before, limit }: WatchedFilter,
): Promise<WatchedPage> {
  let rows = activity
    .selectFrom('watched')
    .selectAll()
    .orderBy('began_at', 'desc')
    .orderBy('watch_id', 'desc')
    .limit(limit + 1);
  if (user !== undefined) rows = rows.where('username', '=', user);
  if (camera !== undefined) rows = rows.where('camera', '=', camera);
  const [, at, id] = cursor.exec(before ?? '') ?? [];
  if (at !== undefined && id !== undefined)
    rows = rows.where(({ eb, or, and }) =>
      or([eb('began_at', '<', Number(at)), and([eb('began_at', '=', Number(at)), eb('watch_id', '<', id)])]),
    );
  const found = await rows.execute();
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    rows: found.slice(0, limit),
    next: last && `${last.began_at}~${last.watch_id}`,
  };
}
