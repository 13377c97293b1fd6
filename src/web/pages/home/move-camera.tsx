import { bodyOf, camerasApi, lostCamerasApi, type LostCamera } from '../../api-client.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { Choice } from '../../ui/forms/field.tsx';
import { fieldOf, useAction } from '../../ui/forms/form-action.ts';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import { FailureNotice } from '../../ui/notices.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { listText } from '../../ui/words.ts';
import { fill, plural, text } from '../../text.ts';

type LostCameras = Awaited<ReturnType<typeof readLost>>;

/** @returns cameras that Frigate renamed or dropped, and those that it has. @throws ApiFailure */
export async function readLost() {
  return bodyOf(lostCamerasApi.index.$get());
}

interface MoveCameraProps extends DialogProps {
  readonly lost: LostCamera;
  /** The cameras that Frigate has. */
  readonly cameras: LostCameras['cameras'];
}

/** Shows what has the previous name, and moves it to the new one. */
export function MoveCamera({ lost, cameras, onClose, onDone }: MoveCameraProps) {
  const words = text.moveCamera;
  const { camera, likely, places, invitations } = lost;
  const param = { camera };
  const forgetting = useAction();
  const forget = () =>
    forgetting.run(async () => {
      await bodyOf(lostCamerasApi[':camera'].$delete({ param }));
      showToast(fill(words.forgotten, { camera: cameraText(camera) }));
      onDone();
      onClose();
    });
  return (
    <FormDialog
      title={fill(words.title, { camera: cameraText(camera) })}
      submit={words.submit}
      onClose={onClose}
      onDone={onDone}
      onSubmit={async (form) => {
        const to = fieldOf(form, 'to');
        const moved = await bodyOf(camerasApi[':camera'].rename.$post({ param, json: { to } }));
        showToast(
          moved.places.length > 0
            ? fill(words.left, { places: listText(moved.places) })
            : fill(words.moved, { camera: cameraText(camera), to: cameraText(to) }),
        );
      }}
    >
      <Choice
        label={words.name}
        name="to"
        autofocus
        required
        value={likely ?? ''}
        options={[
          ...(likely === null ? [['', words.choose] as const] : []),
          ...cameras.map((name) => [name, name] as const),
        ]}
      />
      <p>{words.moves}</p>
      <ul class="changes">
        {namesOf(lost).map(([kind, names]) => (
          <li key={kind} dir="auto">
            {fill(words.holds[kind], { names: listText(names) })}
          </li>
        ))}
        {invitations > 0 && <li>{plural(words.invitations, invitations)}</li>}
      </ul>
      <p>{words.recorded}</p>
      {places.length > 0 && <p>{fill(words.places, { places: listText(places) })}</p>}
      <p>
        <button
          type="button"
          class="secondary outline"
          aria-busy={forgetting.busy}
          disabled={forgetting.busy}
          onClick={forget}
        >
          {words.forget}
        </button>
      </p>
      <FailureNotice error={forgetting.failure} />
    </FormDialog>
  );
}

type Kind = keyof typeof text.moveCamera.holds;

/** @returns what has the camera, as people call it, by its kind */
function namesOf(lost: LostCamera): ReadonlyArray<readonly [kind: Kind, names: readonly string[]]> {
  const { roles, groups, people, requests, stops } = lost;
  const owned = (found: LostCamera['tokens']) =>
    found.map(({ name, user }) => (name === '' ? user : `${name} (${user})`));
  const all: ReadonlyArray<readonly [Kind, readonly string[]]> = [
    ['people', people],
    ['roles', roles],
    ['groups', groups],
    ['tokens', owned(lost.tokens)],
    ['displays', owned(lost.displays)],
    ['shares', owned(lost.shares)],
    ['requests', requests],
    ['stops', stops],
  ];
  return all.filter(([, names]) => names.length > 0);
}
