import { usersApi, type User } from './api-client.ts';
import { pageSize, readPage } from './list-page.ts';
import { usePages } from './use-pages.ts';

/** What the page of users shows; an empty text is no filter. */
interface UserSearch {
  readonly search: string;
  readonly role: string;
}

/** Users by name, page by page. */
export function useUsers({ search, role }: UserSearch) {
  return usePages<User, string>(
    (after, options) => {
      const size = pageSize(options);
      const query = {
        limit: String(size + 1),
        ...(search === '' ? {} : { search }),
        ...(role === '' ? {} : { role }),
        ...(after === null ? {} : { after }),
      };
      const { signal } = options;
      return readPage(usersApi.index.$get({ query }, { init: { signal } }), size, ({ username }) => username);
    },
    [search, role],
    true,
  );
}
