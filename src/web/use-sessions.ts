import { sessionsApi, bodyOf, type ActiveSession } from './api-client.ts';
import { usePages, type Page } from './use-pages.ts';

/** Active sessions, page by page. @param user whose; undefined: everybody's for an admin, else one's own */
export function useSessions(user: string | undefined) {
  const read = async (before: string | null): Promise<Page<ActiveSession, string>> => {
    const query = { ...(user === undefined ? {} : { user }), ...(before === null ? {} : { before }) };
    const { sessions, next } = await bodyOf(sessionsApi.index.$get({ query }));
    return { items: sessions, next };
  };
  const { list, ...actions } = usePages(read, [user]);
  // One that was seen meanwhile has come to the front, and is not shown twice.
  const sessions = [...new Map(list.items.map((session) => [session.id, session])).values()];
  return { ...actions, list: { ...list, items: sessions } };
}
