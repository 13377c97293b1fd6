import { cameraText } from '../../ui/cameras/camera-names.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CameraGroup, Role } from '../../api-client.ts';
import { defineRole, previewRole, type RoleChange } from '../../ui/roles/roles-api.ts';
import { Switch } from '../../ui/forms/field.tsx';
import { listText, nameText } from '../../ui/words.ts';
import { FailureNotice } from '../../ui/notices.tsx';
import { Panes } from '../../ui/roles/capabilities.tsx';
import { capabilities, type PaneStates } from '../../ui/roles/role-access.ts';
import { fill, text } from '../../text.ts';
import { useAction } from '../../ui/forms/form-action.ts';
import { CellPanel } from './cell-panel.tsx';
import { changeText, draftedPanes, drafted, draftOf, type Draft } from './role-draft.ts';

const words = text.access;

// Milliseconds: two switches pressed one after the other are one question.
const pause = 150;

interface RolePanelProps {
  readonly role: Pick<Role, 'name' | 'cameras' | 'access'>;
  readonly camera: string;
  readonly cameras: readonly string[];
  readonly groups: readonly CameraGroup[];
  readonly isOpen: boolean;
  readonly when: string | undefined;
  /** Postern writes roles to the recorder. */
  readonly isWritten: boolean;
  /** Panes that the cell would show. */
  readonly onDraft: (states: PaneStates | undefined) => void;
  readonly onClose: () => void;
  /** It was saved. */
  readonly onDone: () => void;
}

/** Changes a role by one of its cells: whether it has the camera, and what it may do with all of its cameras. */
export function RolePanel(props: RolePanelProps) {
  const { role, camera, cameras, groups, isOpen, when, isWritten, onDraft, onClose, onDone } = props;
  const { panel } = words;
  const isViewer = role.name === 'viewer';
  const byGroups = groups.filter(
    ({ name, cameras: own }) => role.access?.groups?.includes(name) === true && own.includes(camera),
  );
  const isFixed = isViewer || byGroups.length > 0;
  const before = draftOf(role, camera);
  const [draft, setDraft] = useState(before);
  const [change, setChange] = useState<RoleChange>();
  const saving = useAction();
  const [unread, setUnread] = useState<unknown>();
  const sees = draft.seesCamera || isFixed;
  const isChanged = draft.seesCamera !== before.seesCamera || draft.may.join() !== before.may.join();
  const problem = problemOf(draft, role, isViewer);
  const definition = drafted(role, camera, draft);
  const latest = useRef(0);
  useEffect(() => {
    onDraft(sees ? draftedPanes(draft.may, isOpen) : draftedPanes([], isOpen));
    setChange(undefined);
    setUnread(undefined);
    latest.current += 1;
    const mine = latest.current;
    if (!isChanged || problem !== undefined) return undefined;
    const timer = setTimeout(() => {
      previewRole(role.name, definition).then(
        (found) => latest.current === mine && setChange(found),
        (error: unknown) => latest.current === mine && setUnread(error),
      );
    }, pause);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => () => onDraft(undefined), []);
  const toggle = (word: (typeof capabilities)[number]) =>
    setDraft({
      ...draft,
      may: capabilities.filter((other) => (other === word) !== draft.may.includes(other)),
    });
  const keeps = isViewer
    ? 'all'
    : cameras.filter((other) => hasCamera(role, groups, other) && (other !== camera || sees));
  const lines = change === undefined ? [] : changeText(change, { name: role.name, may: draft.may, keeps });
  return (
    <CellPanel
      title={fill(panel.title, { role: role.name, camera: cameraText(camera) })}
      about={panel.unsaved}
      busy={saving.busy}
      onClose={onClose}
    >
      <div class="panel-switches">
        <Panes states={draftedPanes(sees ? draft.may : [], isOpen)} large />
        <div>
          <Switch
            label={fill(panel.sees, { camera: cameraText(camera) })}
            hint={
              isViewer
                ? panel.everyCamera
                : byGroups.length > 0
                  ? fill(panel.byGroup, { groups: listText(byGroups.map(({ name }) => nameText(name))) })
                  : undefined
            }
            checked={sees}
            disabled={isFixed}
            autofocus={!isFixed}
            onChange={() => setDraft({ ...draft, seesCamera: !draft.seesCamera })}
          />
          <fieldset class="hinted">
            <legend>{fill(panel.legend, { role: role.name })}</legend>
            {capabilities.map((word, index) => (
              <Switch
                key={word}
                label={text.capabilities.names[word]}
                hint={panel.means[word]}
                checked={draft.may.includes(word)}
                autofocus={isFixed && index === 0}
                onChange={() => toggle(word)}
              />
            ))}
          </fieldset>
        </div>
      </div>
      <section class="gain" aria-live="polite">
        <h3>{panel.changes}</h3>
        {problem !== undefined ? (
          <p>{problem}</p>
        ) : !isChanged ? (
          <p>{panel.noChange}</p>
        ) : change === undefined ? (
          <p aria-busy={unread === undefined}>{fill(text.progress.loading, { what: panel.preview })}</p>
        ) : (
          <>
            {lines.map((line) => (
              <p key={line}>{line}.</p>
            ))}
            <p class="muted">
              {when !== undefined && `${when}. `}
              {change.users === 0 ? panel.noOne : panel.noOneElse} {isWritten && panel.recorderToo}
            </p>
          </>
        )}
      </section>
      <FailureNotice error={saving.failure ?? unread} />
      <footer class="dialog-buttons">
        <button type="button" class="outline" disabled={saving.busy} onClick={onClose}>
          {text.actions.cancel}
        </button>
        <button
          type="button"
          disabled={saving.busy || !isChanged || problem !== undefined}
          aria-busy={saving.busy}
          onClick={() =>
            saving.run(async () => {
              await defineRole(role.name, definition);
              onDone();
            })
          }
        >
          {text.roles.save}
        </button>
      </footer>
    </CellPanel>
  );
}

/** @returns why a draft cannot be saved, or `undefined` if it can */
function problemOf(draft: Draft, role: RolePanelProps['role'], isViewer: boolean): string | undefined {
  if (draft.may.length === 0) return words.panel.needsWord;
  const hasOther =
    isViewer || role.access?.groups !== undefined || draft.seesCamera || role.cameras.length !== 1;
  return hasOther ? undefined : words.panel.needsCamera;
}

function hasCamera(role: RolePanelProps['role'], groups: readonly CameraGroup[], camera: string): boolean {
  const own = role.access?.groups ?? [];
  return (
    role.cameras.includes(camera) ||
    groups.some(({ name, cameras }) => own.includes(name) && cameras.includes(camera))
  );
}
