import type { CameraGroup } from '../../api-client.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { defineGroup } from '../../ui/roles/roles-api.ts';
import { listText, nameText } from '../../ui/words.ts';
import { badgesOf, type RowContent } from '../../ui/lists/row.tsx';
import { Rows } from '../../ui/lists/row.tsx';
import { Table, useRows } from '../../ui/lists/table.tsx';
import { fill, text } from '../../text.ts';
import { TitledSection } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';

type Offered = Pick<CameraGroup, 'name' | 'cameras'>;

type Dialog =
  | { readonly kind: 'add'; readonly offered?: Offered }
  | { readonly kind: 'edit'; readonly group: CameraGroup }
  | { readonly kind: 'remove'; readonly group: CameraGroup };

const loadDialogs = () => import('./group-dialogs.tsx');

interface CameraGroupsProps {
  readonly groups: readonly CameraGroup[];
  /** Groups of the recorder: they give no access. */
  readonly offered: readonly Offered[];
  readonly cameras: readonly string[];
  readonly onChanged: () => void;
}

/** Groups of cameras for roles, with all actions. */
export function CameraGroups({ groups, offered, cameras, onChanged }: CameraGroupsProps) {
  const words = text.cameraGroups;
  const [dialog, open, close] = useDialog<Dialog>('camera-groups');
  const dialogs = useLater(loadDialogs, dialog !== undefined, close);
  const { heading, marked, mark, goes } = useRows(groups.map(({ name }) => name));
  const show = (name: string) => {
    onChanged();
    mark(name);
  };
  const edited = (name: string, former: CameraGroup | undefined) => {
    const group = nameText(name);
    show(name);
    if (former === undefined) return showToast(fill(words.added, { group }));
    return showToast(fill(words.changed, { group }), async () => {
      await defineGroup(name, former.cameras);
      showToast(fill(words.changedBack, { group }));
      show(name);
    });
  };
  const removed = (name: string, undo: () => Promise<void>) => {
    const group = nameText(name);
    goes(name);
    onChanged();
    showToast(fill(words.removed, { group }), async () => {
      await undo();
      showToast(fill(words.isBack, { group }));
      show(name);
    });
  };
  return (
    <TitledSection
      id="camera-groups"
      title={words.title}
      heading={heading}
      actions={
        <button type="button" class="outline" onClick={() => open({ kind: 'add' })}>
          {words.add}
        </button>
      }
    >
      <p class="hint">{words.about}</p>
      <Table
        what={words.what}
        list={{ kind: 'complete', items: groups, next: null }}
        onRetry={onChanged}
        empty={words.none}
        caption={words.title}
        marked={marked}
        shown={(group) =>
          groupRow(group, {
            onEdit: () => open({ kind: 'edit', group }),
            onRemove: () => open({ kind: 'remove', group }),
          })
        }
      />
      {offered.length > 0 && (
        <section aria-labelledby="offered-groups">
          <h3 id="offered-groups">{words.offered}</h3>
          <p class="hint">{words.offeredHint}</p>
          <Rows
            captionId="offered-groups"
            rows={offered.map((group) => ({
              key: group.name,
              isNarrow: true,
              title: nameText(group.name),
              badges: badgesOf(inOrder(group.cameras).map(cameraText)),
              actions: [
                {
                  label: fill(text.roles.takeOverOf, { role: nameText(group.name) }),
                  name: text.roles.takeOver,
                  onClick: () => open({ kind: 'add', offered: group }),
                },
              ],
            }))}
          />
        </section>
      )}
      {dialogs !== undefined && (dialog?.kind === 'add' || dialog?.kind === 'edit') && (
        <dialogs.EditGroup
          group={dialog.kind === 'edit' ? dialog.group : undefined}
          offered={dialog.kind === 'add' ? dialog.offered : undefined}
          taken={groups.map(({ name }) => name)}
          cameras={cameras}
          onClose={close}
          onDone={(name) => edited(name, dialog.kind === 'edit' ? dialog.group : undefined)}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'remove' && (
        <dialogs.RemoveGroup
          group={dialog.group}
          onClose={close}
          onDone={(undo) => removed(dialog.group.name, undo)}
        />
      )}
    </TitledSection>
  );
}

interface GroupActions {
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function groupRow(group: CameraGroup, { onEdit, onRemove }: GroupActions): RowContent {
  const words = text.cameraGroups;
  const { name, cameras, roles, declared = false } = group;
  const isUsed = roles.length > 0;
  const shown = nameText(name);
  const reason = `used-${name}`;
  return {
    key: name,
    title: shown,
    badges: badgesOf(inOrder(cameras).map(cameraText)),
    facts: [isUsed ? fill(words.usedBy, { roles: listText(roles) }) : words.unused],
    ...(declared
      ? { status: text.roles.declared }
      : {
          actions: [
            { label: fill(words.editOf, { group: shown }), name: words.edit, onClick: onEdit },
            {
              label: fill(words.removeOf, { group: shown }),
              name: words.remove,
              danger: true,
              disabled: isUsed,
              'aria-describedby': isUsed ? reason : undefined,
              onClick: onRemove,
            },
          ],
          ...(isUsed && { reason: [reason, words.removeFirst] as const }),
        }),
  };
}
