import { gatePath } from '../../path-prefix.ts';
import { SettingsFrame, TitledSection } from '../../ui/section.tsx';
import { text, fill, plural } from '../../text.ts';
import { usePageTitle, useOnReturn } from '../../ui/page-hooks.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { ListSearch, useFilters } from '../../ui/lists/list-search.tsx';
import { shareName, endShare, readShares, type Share } from '../../ui/shares/shares-api.ts';
import { BulkBar, BulkDialog, useSelection } from '../../ui/lists/bulk.tsx';
import { Table, useRows } from '../../ui/lists/table.tsx';
import { useMay } from '../../profile.ts';
import { showToast } from '../../ui/toasts.tsx';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { listOf, useLoaded } from '../../ui/loading.ts';
import { hasWords, listText } from '../../ui/words.ts';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import type { Columns } from '../../ui/lists/column-table.tsx';
import { Time, TimeAgo } from '../../ui/parts.tsx';
import { momentText } from '../../ui/time-text.ts';

/** All shares, for admins. */
export function SharesPage() {
  return (
    <SettingsFrame page="shares">
      <ShareList ofAll />
    </SettingsFrame>
  );
}

/** The user's own shares. */
export function OwnSharesPage() {
  usePageTitle(text.shares.title);
  return (
    <div class="narrow">
      <p>
        <a href={gatePath('/account')}>{text.shares.toAccount}</a>
      </p>
      <h1>{text.shares.title}</h1>
      <ShareList />
    </div>
  );
}

type Dialog =
  | { readonly kind: 'export' }
  | { readonly kind: 'end'; readonly share: Share }
  | { readonly kind: 'end-several'; readonly shares: readonly Share[] };

const loadSharing = () => import('../../ui/shares/sharing.tsx');

/** The user's shares, or those of all users, with all actions. */
function ShareList({ ofAll = false }: { readonly ofAll?: boolean }) {
  const words = text.shares;
  const mayExport = useMay('export');
  const mayShare = useMay('share');
  const [{ search, sort }, setFilters] = useFilters('search', 'sort');
  const [state, reload] = useLoaded(() => readShares(!ofAll));
  useOnReturn(reload);
  const [dialog, open, close] = useDialog<Dialog>('shares');
  const sharing = useLater(loadSharing, dialog?.kind === 'export', close);
  const list = listOf(state, (shares) => shares.filter((share) => isFound(share, search)));
  const { heading, marked, mark, goes } = useRows(list.items.map(({ id }) => id));
  const selection = useSelection(list.items.map(({ id }) => id));
  const selected = list.items.filter(({ id }) => selection.keys.includes(id));
  return (
    <TitledSection
      page={ofAll}
      id="shares"
      title={ofAll ? words.title : words.own}
      heading={heading}
      actions={
        !ofAll &&
        mayExport &&
        mayShare && (
          <button type="button" onClick={() => open({ kind: 'export' })}>
            {words.shareExport}
          </button>
        )
      }
    >
      <p class="hint">{words.about}</p>
      <div class="list-tools">
        <ListSearch
          hint={ofAll ? words.searchHint : words.ownSearchHint}
          search={search}
          onSearch={(next) => setFilters({ search: next })}
          isFiltered={search !== ''}
          found={state.kind === 'loaded' ? list.items.length : undefined}
        />
        <BulkBar
          selection={selection}
          actions={[
            {
              name: words.endNow,
              danger: true,
              onClick: () => open({ kind: 'end-several', shares: selected }),
            },
          ]}
        />
      </div>
      <Table
        what={words.what}
        list={list}
        onRetry={reload}
        empty={ofAll ? words.noneAtAll : words.noneYet}
        onShowAll={search === '' ? undefined : () => setFilters({ search: '' })}
        caption={words.title}
        marked={marked}
        sorting={{ sort, onSort: (next) => setFilters({ sort: next }) }}
        selection={selection}
        shown={shareColumns(ofAll, (share) => open({ kind: 'end', share }))}
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
      {dialog?.kind === 'end-several' && (
        <BulkDialog
          entries={dialog.shares}
          nameOf={shareName}
          title={words.endMany}
          submit={words.endNow}
          danger
          work={({ id }) => endShare(id)}
          onClose={close}
          onSome={() => {
            selection.clear();
            reload();
          }}
          onDone={(count) => showToast(plural(words.endedMany, count))}
        >
          <p>{words.endManyMeans}</p>
        </BulkDialog>
      )}
      {dialog?.kind === 'end' && (
        <EndShare
          share={dialog.share}
          onClose={close}
          onDone={() => {
            goes(dialog.share.id);
            showToast(fill(words.ended, { share: shareName(dialog.share) }));
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
  const named = [shareName(share), text.shares.kinds[kind], user, ...cameras, ...cameras.map(cameraText)];
  return hasWords(search, named);
}

/** Asks for confirmation before a share is ended. */
function EndShare({ share, ...dialog }: DialogProps & { readonly share: Share }) {
  return (
    <FormDialog
      title={fill(text.shares.endQuestion, { share: shareName(share) })}
      submit={text.shares.endNow}
      danger
      onSubmit={() => endShare(share.id)}
      {...dialog}
    >
      <p>{text.shares.endMeans}</p>
    </FormDialog>
  );
}

/** Columns of a list of shares. @param isOfAll shares of all users, with their owners */
function shareColumns(isOfAll: boolean, onEnd: (share: Share) => void): Columns<Share> {
  const words = text.shares;
  return {
    class: 'shares',
    keyOf: ({ id }) => id,
    nameOf: shareName,
    columns: [
      {
        title: words.columns.name,
        isName: true,
        sort: { name: 'name', of: shareName },
        cell: (share) => (
          <span class="named">
            <strong dir="auto">{shareName(share)}</strong>
            {share.has_password && <span class="tag">{words.locked}</span>}
          </span>
        ),
      },
      {
        title: words.columns.shows,
        sort: { name: 'shows', of: shownText },
        cell: (share) => <Shown share={share} />,
      },
      ...(isOfAll
        ? [
            {
              title: words.columns.by,
              sort: { name: 'by', of: ({ made_by: user }: Share) => user },
              cell: ({ made_by: user }: Share) => (
                <>
                  <span class="folded">{words.by} </span>
                  {user}
                </>
              ),
            },
          ]
        : []),
      {
        title: words.columns.until,
        sort: { name: 'until', of: ({ expires_at: at }) => at },
        cell: ({ expires_at: at }) =>
          at * 1000 > Date.now() ? (
            <>
              <span class="folded">{words.until} </span>
              <Time seconds={at} />
            </>
          ) : (
            <>
              {words.over} <Time seconds={at} />
            </>
          ),
      },
      {
        title: words.columns.opened,
        sort: { name: 'opened', of: ({ openings }) => openings },
        cell: (share) => <Openings share={share} />,
      },
    ],
    actions: (share) => [
      {
        label: isOfAll
          ? fill(words.endOfUser, { share: shareName(share), user: share.made_by })
          : fill(words.endOf, { share: shareName(share) }),
        name: words.endNow,
        danger: true,
        onClick: () => onEnd(share),
      },
    ],
  };
}

function shownText({ kind, cameras }: Share): string {
  return `${text.shares.kinds[kind]}: ${listText(cameras.map(cameraText))}`;
}

function Shown({ share }: { readonly share: Share }) {
  return (
    <>
      {shownText(share)}
      {share.kind === 'camera' && (
        <small class="line">
          {fill(text.shares.periodOf, {
            from: momentText(share.from, true),
            until: momentText(share.until, true),
          })}
        </small>
      )}
    </>
  );
}

function Openings({ share: { openings, last_opened_at: last } }: { readonly share: Share }) {
  const words = text.shares;
  if (openings === 0) return <>{words.neverOpened}</>;
  return (
    <>
      {plural(words.opened, openings)}
      {last !== null && (
        <>
          , {words.lastOpened} <TimeAgo seconds={last} />
        </>
      )}
    </>
  );
}
