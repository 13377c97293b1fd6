import { useRef } from 'preact/hooks';
import { EndShare } from './end-share.tsx';
import { nameText } from './event-text.ts';
import { useFocusNear } from './focus-near.ts';
import { ListSearch } from './list-search.tsx';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { NothingFound } from './nothing-found.tsx';
import { useMarked } from './row.tsx';
import { ShareRows } from './share-rows.tsx';
import { shareName } from './share-text.ts';
import { readShares, type Share } from './shares-api.ts';
import { text } from './text.ts';
import { tell } from './toasts.tsx';
import { useDialog } from './use-dialog.ts';
import { useFilters } from './use-filters.ts';
import { useLater } from './use-later.ts';
import { useLoaded } from './use-loaded.ts';
import { hasWords } from './word-search.ts';

type Dialog = { readonly kind: 'export' } | { readonly kind: 'end'; readonly share: Share };

const loadSharing = () => import('./sharing.tsx');

/** What is shared, by whoever looks or by everybody, with everything that can be done with it. */
export function ShareList({ ofEverybody = false }: { readonly ofEverybody?: boolean }) {
  const words = text.shares;
  const [{ search }, setFilters] = useFilters('search');
  const [state, reload] = useLoaded(() => readShares(!ofEverybody));
  const [dialog, open, close] = useDialog<Dialog>('shares');
  const [marked, mark] = useMarked();
  const sharing = useLater(loadSharing, dialog?.kind === 'export', close);
  const heading = useRef<HTMLHeadingElement>(null);
  const all = state.kind === 'loaded' ? state.value : [];
  const found = all.filter((share) => isFound(share, search));
  const ends = useFocusNear(
    found.map(({ id }) => id),
    heading,
  );
  return (
    <section aria-labelledby="shares">
      <div class="title-row">
        <h2 id="shares" ref={heading} tabIndex={-1}>
          {ofEverybody ? words.title : words.own}
        </h2>
        {ofEverybody ? (
          <button type="button" class="secondary outline" onClick={reload}>
            {text.lists.refresh}
          </button>
        ) : (
          <button type="button" onClick={() => open({ kind: 'export' })}>
            {words.shareExport}
          </button>
        )}
      </div>
      <p class="hint">{words.about}</p>
      {(search !== '' || all.length > 0) && (
        <ListSearch
          hint={ofEverybody ? words.searchHint : words.ownSearchHint}
          search={search}
          onSearch={(next) => setFilters({ search: next })}
          isFiltered={search !== ''}
          found={state.kind === 'loaded' ? found.length : undefined}
        />
      )}
      {state.kind === 'loading' && <Loading what={words.what} />}
      {state.kind === 'failed' && <LoadFailure what={words.what} error={state.error} onRetry={reload} />}
      {state.kind === 'loaded' && <FailureNotice error={state.error} />}
      {state.kind === 'loaded' && search === '' && found.length === 0 && (
        <p class="placeholder">{ofEverybody ? words.nobodyShares : words.noneYet}</p>
      )}
      {state.kind === 'loaded' && search !== '' && found.length === 0 && (
        <NothingFound onShowAll={() => setFilters({ search: '' })} />
      )}
      {found.length > 0 && (
        <ShareRows
          shares={found}
          ofEverybody={ofEverybody}
          marked={marked}
          onEnd={(share) => open({ kind: 'end', share })}
        />
      )}
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
            ends(dialog.share.id);
            tell(words.ended(shareName(dialog.share)));
            reload();
          }}
        />
      )}
    </section>
  );
}

/** Whether all words that are looked for stand in what is said of a share. */
function isFound(share: Share, search: string): boolean {
  const { kind, cameras, made_by: user } = share;
  const named = [shareName(share), text.shares.kinds[kind], user, ...cameras, ...cameras.map(nameText)];
  return hasWords(search, named);
}
