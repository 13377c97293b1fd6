import { apiTokensApi, loginApi, bodyOf, type ApiToken } from '../../api-client.ts';
import { Choice } from '../../ui/forms/field.tsx';
import { useList } from '../../ui/lists/use-pages.ts';
import { ListSearch, useFilters } from '../../ui/lists/list-search.tsx';
import { gatePath } from '../../path-prefix.ts';
import { SettingsFrame, TitledSection } from '../../ui/section.tsx';
import { Table, useRows } from '../../ui/lists/table.tsx';
import { fill, plural, text } from '../../text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { RevokeToken, revokeToken, tokenColumns } from '../../ui/accounts/tokens.tsx';
import { BulkBar, BulkDialog, useSelection } from '../../ui/lists/bulk.tsx';
import { useDialog } from '../../ui/forms/use-dialog.ts';
import { useLoaded } from '../../ui/loading.ts';
import { useOnReturn } from '../../ui/page-hooks.ts';

export function TokensPage() {
  return (
    <SettingsFrame page="tokens">
      <Tokens />
    </SettingsFrame>
  );
}

function Tokens() {
  const [{ sort, ...filters }, setFilters] = useFilters('search', 'state', 'sort');
  const { list, loadMore, refresh } = useList<ApiToken>(
    (query, options) => apiTokensApi.index.$get({ query }, options),
    filters,
    ({ username, name }) => `${username}/${name}`,
    sort !== '',
  );
  useOnReturn(refresh);
  const [login] = useLoaded(() => bodyOf(loginApi.index.$get()));
  const [revoked, open, close] = useDialog<ApiToken | readonly ApiToken[]>('tokens');
  const { heading, goes } = useRows(list.items.map(({ id }) => id));
  const selection = useSelection(list.items.map(({ id }) => id));
  const selected = list.items.filter(({ id }) => selection.keys.includes(id));
  const { search, state } = filters;
  const isFiltered = search !== '' || state !== '';
  const usesAccounts = login.kind !== 'loaded' || login.value.enabled;
  return (
    <TitledSection page id="tokens" title={text.tokens.title} heading={heading}>
      {!usesAccounts && <p class="notice">{text.tokens.byProxy}</p>}
      <div class="list-tools">
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
        <BulkBar
          selection={selection}
          actions={[{ name: text.tokens.revoke, danger: true, onClick: () => open(selected) }]}
        />
      </div>
      <Table
        what={text.tokens.what}
        list={list}
        onRetry={refresh}
        onMore={loadMore}
        empty={text.tokens.noneAtAll}
        onShowAll={isFiltered ? () => setFilters({ search: '', state: '' }) : undefined}
        caption={text.tokens.title}
        sorting={{ sort, onSort: (next) => setFilters({ sort: next }) }}
        selection={selection}
        shown={tokenColumns(true, open)}
      />
      {usesAccounts && (
        <p class="below-rows">
          <small>
            <a href={gatePath('/account')}>{text.tokens.addYourOwn}</a>
          </small>
        </p>
      )}
      {revoked !== undefined && 'length' in revoked && (
        <BulkDialog
          entries={revoked}
          nameOf={({ name, username }) => fill(text.tokens.nameOf, { name, user: username })}
          title={text.tokens.revokeMany}
          submit={text.tokens.revoke}
          danger
          work={revokeToken}
          onClose={close}
          onSome={() => {
            selection.clear();
            void refresh();
          }}
          onDone={(count) => showToast(plural(text.tokens.revokedMany, count))}
        >
          <p>{text.tokens.revokeManyMeans}</p>
        </BulkDialog>
      )}
      {revoked !== undefined && !('length' in revoked) && (
        <RevokeToken
          token={revoked}
          onClose={close}
          onDone={() => {
            goes(revoked.id);
            showToast(fill(text.tokens.revoked, { name: revoked.name }));
            void refresh();
          }}
        />
      )}
    </TitledSection>
  );
}
