import type { EventRecord } from '../../../events/event-record.ts';
import { apiQuery, noSearch, textOf } from '../../ui/explore-search.ts';

/** The nearest events before and after another one, of the user's cameras. */
export interface Neighbours {
  readonly newer: EventRecord | undefined;
  readonly older: EventRecord | undefined;
}

/**
 * Seconds after the event in which to look for newer ones: lists begin with the newest, so the last of a short list is the
 * nearest.
 */
const spans = [60, 600, 6_000, 86_400, 864_000, Number.POSITIVE_INFINITY];
const mostInSpan = 100;

/** @param read returns a list of events for a query, newest first */
export async function neighboursOf(
  { id, start_time: start }: EventRecord,
  profile: Parameters<typeof apiQuery>[1],
  read: (query: string) => Promise<readonly EventRecord[]>,
): Promise<Neighbours> {
  const query = apiQuery(noSearch, profile, 1);
  if (query === undefined) return { newer: undefined, older: undefined };
  const ask = (changes: Readonly<Record<string, string>>) =>
    read(textOf({ ...query, include_thumbnails: '0', ...changes }));

  const findNewer = async () => {
    for (const span of spans) {
      const found = await ask({
        after: String(start),
        limit: String(mostInSpan),
        ...(span === Number.POSITIVE_INFINITY ? {} : { before: String(start + span) }),
      });
      if (found.length > 0) return found.at(-1);
    }
    return undefined;
  };
  const [[older], newer] = await Promise.all([ask({ before: String(start), before_id: id }), findNewer()]);
  return { newer, older };
}
