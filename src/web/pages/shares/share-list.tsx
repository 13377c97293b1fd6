import { EndShare } from './end-share.tsx';
import { nameText } from '../../ui/event-text.ts';
import { ListSearch } from '../../ui/lists/list-search.tsx';
import { shareRow } from './share-row.tsx';
import { shareName } from '../../ui/shares/share-text.ts';
import { readShares, type Share } from '../../ui/shares/shares-api.ts';
import { Table } from '../../ui/lists/table.tsx';
import { text } from '../../text.ts';
import { RefreshButton, TitledSection } from '../../ui/lists/titled-section.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useDialog } from '../../ui/forms/use-dialog.ts';
import { useFilters } from '../../ui/lists/use-filters.ts';
import { useLater } from '../../ui/use-later.ts';
import { listOf, useLoaded } from '../../ui/use-loaded.ts';
import { useRows } from '../../ui/lists/use-rows.ts';
import { hasWords } from '../../ui/lists/word-search.ts';

type Dialog = { readonly kind: 'export' } | { readonly kind: 'end'; readonly share: Share };

const loadSharing = () => import('../../ui/shares/sharing.tsx');

/** The user's shares, or those of all users, with all actions. */
export function ShareList({ ofAll = false }: { readonly ofAll?: boolean }) {
  const words = text.shares;
  const [{ search }, setFilters] = useFilters('search');
  const [state, reload] = useLoaded(() => readShares(!ofAll));
  const [dialog, open, close] = useDialog<Dialog>('shares');
  const sharing = useLater(loadSharing, dialog?.kind === 'export', close);
  const list = listOf(state, (shares) => shares.filter((share) => isFound(share, search)));
  const { heading, marked, mark, goes } = useRows(list.items.map(({ id }) => id));
  return (
    <TitledSection
      id="shares"
      title={ofAll ? words.title : words.own}
      heading={heading}
      actions={
        ofAll ? (
          <RefreshButton onRefresh={reload} />
        ) : (
          <button type="button" onClick={() => open({ kind: 'export' })}>
            {words.shareExport}
          </button>
        )
      }
    >
      <p class="hint">{words.about}</p>
      {(search !== '' || list.items.length > 0) && (
        <ListSearch
          hint={ofAll ? words.searchHint : words.ownSearchHint}
          search={search}
          onSearch={(next) => setFilters({ search: next })}
          isFiltered={search !== ''}
          found={state.kind === 'loaded' ? list.items.length : undefined}
        />
      )}
      <Table
        what={words.what}
        list={list}
        onRetry={reload}
        empty={ofAll ? words.nobodyShares : words.noneYet}
        onShowAll={search === '' ? undefined : () => setFilters({ search: '' })}
        caption={words.title}
        marked={marked}
        shown={(share) =>
          shareRow(share, ofAll ? share.made_by : undefined, () => open({ kind: 'end', share }))
        }
      />
      {sharing !== undefined && dialog?.kind === 'export' && (
        <sharing.SharingExport
          onClose={close}
          onMade={(id) => {
            mark(id);
            reload();
          }}
        />
      )}
      {dialog?.kind === 'end' && (
        <EndShare
          share={dialog.share}
          onClose={close}
          onDone={() => {
            goes(dialog.share.id);
            showToast(words.ended(shareName(dialog.share)));
            reload();
          }}
        />
      )}
    </TitledSection>
  );
}

/** Whether all words of a search appear in the texts of a share. */
function isFound(share: Share, search: string): boolean {
  const { kind, cameras, made_by: user } = share;
  const named = [shareName(share), text.shares.kinds[kind], user, ...cameras, ...cameras.map(nameText)];
  return hasWords(search, named);
}
