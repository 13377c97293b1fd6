import { useRef } from 'preact/hooks';
import { apiTokensApi, loginApi, bodyOf, type ApiToken } from './api-client.ts';
import { TokenRows } from './api-tokens.tsx';
import { Choice } from './field.tsx';
import { useFocusNear } from './focus-near.ts';
import { useList } from './list-page.ts';
import { ListSearch } from './list-search.tsx';
import { LoadMore } from './load-more.tsx';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { NothingFound } from './nothing-found.tsx';
import { gatePath } from './path-prefix.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { text } from './text.ts';
import { tell } from './toasts.tsx';
import { RevokeToken } from './token-dialogs.tsx';
import { useDialog } from './use-dialog.ts';
import { useFilters } from './use-filters.ts';
import { useLoaded } from './use-loaded.ts';

export function TokensPage() {
  return (
    <SettingsFrame page="tokens">
      <Tokens />
    </SettingsFrame>
  );
}

function Tokens() {
  const [filters, setFilters] = useFilters('search', 'state');
  const { list, loadMore, refresh } = useList<ApiToken>(
    (query, options) => apiTokensApi.index.$get({ query }, options),
    filters,
    ({ username, name }) => `${username}/${name}`,
  );
  const [login] = useLoaded(() => bodyOf(loginApi.index.$get()));
  const [revoked, open, close] = useDialog<ApiToken>('tokens');
  const heading = useRef<HTMLHeadingElement>(null);
  const { kind, items: tokens, error } = list;
  const revokes = useFocusNear(
    tokens.map(({ id }) => id),
    heading,
  );
  const { search, state } = filters;
  const isFiltered = search !== '' || state !== '';
  const usesAccounts = login.kind !== 'loaded' || login.value.enabled;
  const isEmpty = tokens.length === 0;
  return (
    <section aria-labelledby="tokens">
      <div class="title-row">
        <h2 id="tokens" ref={heading} tabIndex={-1}>
          {text.tokens.title}
        </h2>
        <button
          type="button"
          class="secondary outline"
          onClick={() => void refresh()}
          disabled={kind === 'loading'}
        >
          {text.lists.refresh}
        </button>
      </div>
      {!usesAccounts && <p class="notice">{text.tokens.byProxy}</p>}
      <ListSearch
        hint={text.tokens.searchHint}
        search={search}
        onSearch={(next) => setFilters({ search: next })}
        isFiltered={isFiltered}
        found={list.total}
      >
        <Choice
          label={text.tokens.state}
          options={[['', text.tokens.anyState], ...Object.entries(text.tokens.states)]}
          value={state}
          onChange={(event) => setFilters({ state: event.currentTarget.value })}
        />
      </ListSearch>
      {!isEmpty && kind === 'failed' && <FailureNotice error={error} />}
      {isEmpty && kind === 'loading' && <Loading what={text.tokens.what} />}
      {isEmpty && kind === 'failed' && (
        <LoadFailure what={text.tokens.what} error={error} onRetry={() => void refresh()} />
      )}
      {isEmpty &&
        kind === 'complete' &&
        (isFiltered ? (
          <NothingFound onShowAll={() => setFilters({ search: '', state: '' })} />
        ) : (
          <p class="placeholder">{text.tokens.nobodyHasOne}</p>
        ))}
      {!isEmpty && <TokenRows tokens={tokens} ofEverybody onRevoke={open} />}
      {list.next !== null && <LoadMore busy={kind === 'loading'} onLoad={loadMore} />}
      {usesAccounts && (
        <p class="below-rows">
          <small>
            <a href={gatePath('/account')}>{text.tokens.addYourOwn}</a>
          </small>
        </p>
      )}
      {revoked !== undefined && (
        <RevokeToken
          token={revoked}
          onClose={close}
          onDone={() => {
            revokes(revoked.id);
            tell(text.tokens.revoked(revoked.name));
            void refresh();
          }}
        />
      )}
    </section>
  );
}
