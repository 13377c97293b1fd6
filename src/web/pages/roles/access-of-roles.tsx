import type { PaneStates } from '../../ui/roles/role-access.ts';
import { useState } from 'preact/hooks';
import { countedUsers } from '../../ui/roles/roles-api.ts';
import { numberText } from '../../ui/words.ts';
import { fill, text } from '../../text.ts';
import { rolePath } from '../../ui/roles/role-paths.ts';
import type { EditedRole } from './role-dialogs.tsx';
import type { Cell } from './access-matrix.tsx';
import { AccessView, type AccessViewProps } from './access-view.tsx';
import { whenText } from './access-text.ts';
import { useLater } from '../../ui/forms/use-dialog.ts';

const words = text.access;

const loadRolePanel = () => import('./role-panel.tsx');
const loadPlainPanel = () => import('./cell-panel.tsx');

interface AccessOfRolesProps extends AccessViewProps {
  readonly onEdited: (name: string, former: EditedRole) => void;
}

/** A row for each role. A cell opens the panel that changes its role. */
export function AccessOfRoles(props: AccessOfRolesProps) {
  const { loaded, onEdited } = props;
  const { access, entries, roles, viewer, groups, recorder } = loaded;
  const [open, setOpen] = useState<Cell>();
  const [draft, setDraft] = useState<PaneStates>();
  const entry = entries.find(({ name }) => name === open?.row);
  const found = open?.row === 'viewer' ? viewer : roles.find(({ name }) => name === open?.row);
  // `admin`, and what config.yml declares, cannot be changed here.
  const role = found !== undefined && 'declared' in found && found.declared === true ? undefined : found;
  const close = () => setOpen(undefined);
  const ofRole = useLater(loadRolePanel, open !== undefined && role !== undefined, close);
  const plain = useLater(loadPlainPanel, open !== undefined && role === undefined, close);
  const panel =
    open === undefined || entry === undefined
      ? undefined
      : role === undefined
        ? plain && (
            <plain.PlainPanel
              key={`${open.row}/${open.camera}`}
              entry={entry}
              camera={open.camera}
              why={entry.name === 'admin' ? words.panel.admin : text.roles.declaredHint}
              links={
                <a class="button outline" href={rolePath(entry.name)} autofocus>
                  {fill(words.panel.toRole, { role: entry.name })}
                </a>
              }
              onClose={close}
            />
          )
        : ofRole && (
            <ofRole.RolePanel
              key={`${open.row}/${open.camera}`}
              role={role}
              camera={open.camera}
              cameras={access.cameras}
              groups={groups}
              isOpen={entry.schedule?.is_open !== false}
              when={whenText(entry.schedule, access)}
              isWritten={recorder.managed}
              onDraft={setDraft}
              onClose={close}
              onDone={() => {
                close();
                onEdited(role.name, role);
              }}
            />
          );
  return (
    <AccessView
      {...props}
      label={words.gridOfRoles}
      title={words.role}
      searchHint={words.search}
      entries={entries}
      open={open}
      draft={draft}
      headerOf={({ name, users = 0 }, { link, isNarrow }) => (
        <>
          <a href={rolePath(name)} {...link}>
            {name}
          </a>
          <small aria-label={countedUsers(users)}>{isNarrow ? numberText(users) : countedUsers(users)}</small>
        </>
      )}
      onOpen={setOpen}
      panel={panel}
    />
  );
}
