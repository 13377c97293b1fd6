import { apiTokensApi, type ApiToken } from './api-client.ts';
import { pageSize, readPage } from './list-page.ts';
import { usePages } from './use-pages.ts';

/** What the page of API tokens shows; an empty text is no filter. */
interface TokenSearch {
  readonly search: string;
  readonly state: string;
}

/** Everybody's API tokens by owner and name, page by page. */
export function useTokens({ search, state }: TokenSearch) {
  return usePages<ApiToken, string>(
    (after, options) => {
      const size = pageSize(options);
      const query = {
        limit: String(size + 1),
        ...(search === '' ? {} : { search }),
        // What the address says goes to the API, which says what is wrong with it.
        ...(state === '' ? {} : { state: state as ApiToken['state'] }),
        ...(after === null ? {} : { after }),
      };
      const call = apiTokensApi.index.$get({ query }, { init: { signal: options.signal } });
      return readPage(call, size, ({ username, name }) => `${username}/${name}`);
    },
    [search, state],
    true,
  );
}
