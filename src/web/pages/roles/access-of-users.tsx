import { roleText } from '../../ui/roles/role-access.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { useMemo, useState } from 'preact/hooks';
import { userDetailsApi, type User } from '../../api-client.ts';
import { useList } from '../../ui/lists/use-pages.ts';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import { personPath, rolePath } from '../../ui/roles/role-paths.ts';
import { fill, text } from '../../text.ts';
import { type Cell } from './access-matrix.tsx';
import { filtered, rowOfRole, rowOfUser } from './access-rows.ts';
import { AccessView, type AccessViewProps } from './access-view.tsx';
import { useLater } from '../../ui/forms/use-dialog.ts';

const words = text.access;

const loadPanel = () => import('./cell-panel.tsx');

/** A row for each user, with what their role may do. */
export function AccessOfUsers(props: AccessViewProps) {
  const { loaded, filters } = props;
  const [open, setOpen] = useState<Cell>();
  const panel = useLater(loadPanel, open !== undefined, () => setOpen(undefined));
  const { cameras: found } = filtered([], loaded.access.cameras, {
    search: filters.search,
    group: undefined,
    nameOf: cameraText,
  });
  const { list, loadMore, refresh } = useList<User>(
    (query, options) => userDetailsApi.index.$get({ query }, options),
    { search: found.length > 0 ? '' : filters.search },
    ({ username }) => username,
  );
  const entries = useMemo(() => {
    const roles = new Map(loaded.access.rows.map((row) => [row.role, rowOfRole(row)]));
    return list.items.map((user) => rowOfUser(user, roles));
  }, [list.items, loaded.access]);
  if (list.kind === 'loading' && list.items.length === 0) return <Loading what={words.what} />;
  if (list.kind === 'failed' && list.items.length === 0)
    return <LoadFailure what={words.what} error={list.error} onRetry={() => void refresh()} />;
  const entry = entries.find(({ name }) => name === open?.row);
  return (
    <AccessView
      {...props}
      label={words.gridOfUsers}
      title={words.user}
      searchHint={words.searchUsers}
      entries={entries}
      open={open}
      draft={undefined}
      headerOf={({ name, role, isBlocked }, { link }) => (
        <>
          <a href={personPath(name)} {...link}>
            {name}
          </a>
          <small>{isBlocked ? words.blocked : roleText(role)}</small>
        </>
      )}
      onOpen={setOpen}
      more={
        <>
          {list.kind === 'failed' && <FailureNotice error={list.error} />}
          {list.next !== null && (
            <p class="placeholder">
              <button type="button" class="outline" disabled={list.kind === 'loading'} onClick={loadMore}>
                {text.lists.loadMore}
              </button>
            </p>
          )}
        </>
      }
      panel={
        open === undefined || entry === undefined || panel === undefined ? undefined : (
          <panel.PlainPanel
            key={`${open.row}/${open.camera}`}
            entry={entry}
            camera={open.camera}
            why={
              entry.isBlocked
                ? fill(words.panel.isBlocked, { user: entry.name })
                : fill(words.panel.hasRole, { user: entry.name, role: roleText(entry.role) })
            }
            links={
              <>
                <a class="button outline" href={personPath(entry.name)}>
                  {words.panel.toUsers}
                </a>
                <a class="button" href={rolePath(entry.role)} autofocus>
                  {fill(words.panel.toRole, { role: roleText(entry.role) })}
                </a>
              </>
            }
            onClose={() => setOpen(undefined)}
          />
        )
      }
    />
  );
}
