import { sessionsApi, bodyOf, type ActiveSession } from '../../api-client.ts';
import { usePages, type Page, type PageOptions } from '../lists/use-pages.ts';

const usual = 100;
const most = 500;

/**
 * Active sessions, page by page.
 * @param user undefined: all users' for an admin, else the own ones
 * @param search words that are parts of the user, the address or the client
 */
export function useSessions(user: string | undefined, search = '') {
  const read = async (
    first: string | null,
    { signal, wanted }: PageOptions,
  ): Promise<Page<ActiveSession, string>> => {
    const size = Math.min(Math.max(wanted, usual), most);
    // A page of a search holds the matches among so many sessions, perhaps none.
    const least = search === '' ? 0 : usual;
    const found: ActiveSession[] = [];
    let before = first;
    do {
      const query = {
        ...(user === undefined ? {} : { user }),
        ...(search === '' ? {} : { search }),
        ...(size === usual ? {} : { limit: String(size) }),
        ...(before === null ? {} : { before }),
      };
      const { sessions, next } = await bodyOf(sessionsApi.index.$get({ query }, { init: { signal } }));
      found.push(...sessions);
      before = next;
    } while (before !== null && found.length < least);
    return { items: found, next: before };
  };
  const { list, ...actions } = usePages(read, [user, search], true);
  // A session seen meanwhile has moved to the front, and must not appear twice.
  const sessions = [...new Map(list.items.map((session) => [session.id, session])).values()];
  return { ...actions, list: { ...list, items: sessions } };
}
