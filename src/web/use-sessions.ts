import { useEffect, useRef, useState } from 'preact/hooks';
import { accountApi, bodyOf, type LiveSession } from './api-client.ts';

interface SessionList {
  /** `failed`: what is there stays. */
  readonly kind: 'loading' | 'partial' | 'complete' | 'failed';
  readonly sessions: readonly LiveSession[];
  readonly error?: unknown;
  /** Where the next page begins. */
  readonly next: string | null;
}

const empty: SessionList = { kind: 'loading', sessions: [], next: null };

/** Live sessions, page by page. @param user whose; undefined: everybody's for an admin, else one's own */
export function useSessions(user: string | undefined) {
  const [list, setList] = useState(empty);
  const round = useRef(0);

  /** What is shown stays until there is something else to show. */
  const show = (reading: Promise<SessionList>) => {
    round.current += 1;
    const mine = round.current;
    void (async () => {
      const read = await reading.catch((error: unknown) => ({ kind: 'failed' as const, error }));
      if (round.current === mine) setList((before) => ({ ...before, ...read }));
    })();
  };
  const reload = () => show(readPage(user, [], null));
  const loadMore = () => {
    setList({ ...list, kind: 'loading' });
    show(readPage(user, list.sessions, list.next));
  };
  useEffect(() => {
    setList(empty);
    reload();
  }, [user]);
  return { list, loadMore, reload };
}

async function readPage(
  user: string | undefined,
  shown: readonly LiveSession[],
  before: string | null,
): Promise<SessionList> {
  const query = { ...(user === undefined ? {} : { user }), ...(before === null ? {} : { before }) };
  const { sessions, next } = await bodyOf(accountApi.sessions.$get({ query }));
  // One that was seen meanwhile has come to the front, and is not shown twice.
  const known = new Set(shown.map(({ id }) => id));
  return {
    kind: next === null ? 'complete' : 'partial',
    sessions: [...shown, ...sessions.filter(({ id }) => !known.has(id))],
    next,
  };
}
