import { useEffect, useRef, useState } from 'preact/hooks';
import type { CameraGroup } from '../../api-client.ts';
import { listText, numberText } from '../../ui/words.ts';
import { checkedIn } from '../../ui/roles/role-form.ts';
import { fill, text } from '../../text.ts';
import { CameraChoice } from '../../ui/cameras/camera-choice.tsx';

interface CameraFieldsProps {
  readonly cameras: readonly string[];
  readonly groups: readonly CameraGroup[];
  /** What is on at first. */
  readonly chosen: { readonly cameras: readonly string[]; readonly groups: readonly string[] };
  /** The first one to take the focus; undefined: something else has it. */
  readonly focus: string | undefined;
}

/** A chip for each group of cameras, and a switch for each camera, which shows the chosen groups that have it. */
export function CameraFields({ cameras, groups, chosen, focus }: CameraFieldsProps) {
  const fields = useRef<HTMLDivElement>(null);
  const [on, setOn] = useState(chosen.groups);
  const readGroups = () => {
    const form = fields.current?.closest('form');
    if (form) setOn(checkedIn(new FormData(form), 'group'));
  };
  // After a login in between, the fields have been filled again.
  useEffect(readGroups, []);
  const byGroup = (camera: string) => {
    const having = groups.filter(({ name, cameras: own }) => on.includes(name) && own.includes(camera));
    return having.length === 0
      ? undefined
      : fill(text.roleDialogs.byGroup, { groups: listText(having.map(({ name }) => name)) });
  };
  return (
    <div ref={fields}>
      {groups.length > 0 && (
        <fieldset class="hinted" onChange={readGroups}>
          <legend>{text.roles.groups}</legend>
          <div class="chips">
            {groups.map(({ name, cameras: own }) => (
              <label key={name} class="chip">
                <input
                  type="checkbox"
                  name="group"
                  value={name}
                  defaultChecked={chosen.groups.includes(name)}
                />
                {name} <small>{numberText(own.length)}</small>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <CameraChoice cameras={cameras} chosen={chosen.cameras} hintOf={byGroup} focus={focus} />
    </div>
  );
}
