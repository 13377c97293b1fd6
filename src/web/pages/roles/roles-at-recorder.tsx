import type { RecorderRoles } from '../../api-client.ts';
import { FailureNotice } from '../../ui/notices.tsx';
import { defineRole } from '../../ui/roles/roles-api.ts';
import { isReservedRole } from '../../ui/roles/role-form.ts';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { badgesOf } from '../../ui/lists/row.tsx';
import { Rows } from '../../ui/lists/row.tsx';
import { fill, text } from '../../text.ts';
import { useAction } from '../../ui/forms/form-action.ts';

interface RolesAtRecorderProps {
  readonly roles: RecorderRoles['only_at_recorder'];
  readonly onTaken: (name: string) => void;
}

/** Roles that exist only at the recorder, each with a button that adds it to Postern unless its name is reserved. */
export function RolesAtRecorder({ roles, onTaken }: RolesAtRecorderProps) {
  const { busy, failure, run } = useAction();
  const takeOver = (name: string, cameras: string[]) =>
    run(async () => {
      await defineRole(name, { cameras, access: null });
      onTaken(name);
    });
  if (roles.length === 0) return null;
  return (
    <section aria-labelledby="at-recorder">
      <h2 id="at-recorder">{text.roles.onlyAtRecorder}</h2>
      <p class="hint">{text.roles.onlyAtRecorderHint}</p>
      <FailureNotice error={failure} />
      <Rows
        captionId="at-recorder"
        rows={roles.map(({ name, cameras }) => ({
          key: name,
          isNarrow: true,
          title: name,
          badges:
            cameras.length === 0 ? (
              <small>{text.roles.allCameras}</small>
            ) : (
              badgesOf(inOrder(cameras).map(cameraText))
            ),
          actions: [
            cameras.length > 0 &&
              !isReservedRole(name) && {
                label: fill(text.roles.takeOverOf, { role: name }),
                name: text.roles.takeOver,
                'aria-busy': busy,
                onClick: () => takeOver(name, cameras),
              },
          ],
        }))}
      />
    </section>
  );
}
