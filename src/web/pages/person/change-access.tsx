import { useState } from 'preact/hooks';
import { bodyOf, FormProblem, peopleApi, type Person } from '../../api-client.ts';
import { useProfile } from '../../profile.ts';
import { fill, plural, text } from '../../text.ts';
import { CameraPicks } from '../../ui/cameras/camera-choice.tsx';
import { cameraText, inOrder } from '../../ui/cameras/camera-names.ts';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import { accessSentence } from '../../ui/people/access-text.ts';
import { Face } from '../../ui/people/face.tsx';
import { giveRole } from '../../ui/roles/roles-api.ts';
import { capabilities } from '../../ui/roles/role-access.ts';
import { checkedIn } from '../../ui/roles/role-form.ts';
import { MayFields } from '../../ui/roles/capabilities.tsx';
import { ScheduleFields } from '../../ui/roles/schedule-fields.tsx';
import { scheduleIn } from '../../ui/roles/schedule.ts';
import { showToast } from '../../ui/toasts.tsx';
import { listText } from '../../ui/words.ts';

const words = text.people;

interface ChangeAccessProps extends DialogProps {
  readonly person: Person;
}

/** Changes what one person may see and do; where others share it, for all of them or only this one. */
export function ChangeAccess({ person, ...dialog }: ChangeAccessProps) {
  const { allowed_cameras: all } = useProfile();
  const name = person.name ?? '';
  const { grant, schedule, own_role: isOwn, same_role: same } = person;
  const isBuiltIn = person.role === 'admin' || person.role === 'viewer';
  const isShared = !isOwn && !isBuiltIn && same.others > 0;
  const [sum, setSum] = useState(accessSentence(person, name));
  const shown = inOrder([...new Set([...all, ...grant.allowed_cameras])]);
  const chosen = grant.cameras === null ? shown : grant.allowed_cameras;
  const wantedIn = (form: FormData) => wanted(form, person);
  const sumUp = (form: HTMLFormElement | null) => {
    if (form === null) return;
    try {
      const fields = new FormData(form);
      setSum(sentenceOf(wantedIn(fields), checkedIn(fields, 'camera'), person));
    } catch (error) {
      if (error instanceof FormProblem) setSum(error.message);
    }
  };
  return (
    <FormDialog
      title={fill(words.accessOf, { who: name })}
      submit={words.save}
      preview={async (form) => {
        const json = wantedIn(form);
        if (!isShared || json.for === 'person') return undefined;
        const { change } = await bodyOf(
          peopleApi[':username'].access.$put({ param: { username: name }, query: { preview: '' }, json }),
        );
        return change
          ? { title: words.forAll, confirm: words.save, content: <Difference {...change} /> }
          : undefined;
      }}
      onSubmit={async (form) => {
        const json = wantedIn(form);
        await bodyOf(peopleApi[':username'].access.$put({ param: { username: name }, query: {}, json }));
        // It is changed by now, whether or not it can be read again.
        const changed = await readPerson(name).catch(() => undefined);
        // Someone who has not come yet has no account that could get the shared role again.
        const canBeUndone = person.account !== null || isOwn || json.for === 'role';
        const undo = async (written: Person) => {
          await takeBack({ before: person, changed: written }, json.for);
          showToast(fill(words.accessBack, { who: name }));
          dialog.onDone();
        };
        showToast(
          fill(words.accessChanged, { who: name }),
          changed !== undefined && canBeUndone ? () => undo(changed) : undefined,
        );
      }}
      {...dialog}
    >
      <div class="invite" onInput={({ currentTarget }) => sumUp(currentTarget.closest('form'))}>
        {isShared && <WhoChanges name={name} same={same} />}
        <CameraPicks cameras={shown} legend={text.invitations.cameras} chosen={chosen} />
        <MayFields may={grant.may} legend={fill(words.can, { who: name })} />
        <ScheduleFields schedule={schedule ?? undefined} />
        <p class="sum" role="status">
          {sum}
        </p>
      </div>
    </FormDialog>
  );
}

interface WhoChangesProps {
  readonly name: string;
  readonly same: Person['same_role'];
}

/** Up to three others by name and face, then their number. */
function WhoChanges({ name, same }: WhoChangesProps) {
  const count = same.others + 1;
  const more = same.others - same.names.length;
  const names = [...same.names, ...(more > 0 ? [plural(words.others, more)] : [])];
  return (
    <fieldset class="who-changes">
      <legend>{words.whoChanges}</legend>
      <label>
        <input type="radio" name="for" value="role" />
        <span>
          {plural(words.allOfThem, count)}
          <small>{fill(words.alsoFor, { names: listText(names) })}</small>
        </span>
        <span class="faces">
          {[name, ...same.names].map((one) => (
            <Face key={one} name={one} size="small" />
          ))}
        </span>
      </label>
      <label>
        <input type="radio" name="for" value="person" defaultChecked />
        <span>
          {fill(words.onlyThem, { who: name })}
          <small>{words.onlyThemMeans}</small>
        </span>
        <span class="faces">
          <Face name={name} size="small" />
        </span>
      </label>
    </fieldset>
  );
}

function readPerson(username: string): Promise<Person> {
  return bodyOf(peopleApi[':username'].$get({ param: { username } }));
}

interface Change {
  readonly before: Person;
  readonly changed: Person;
}

/**
 * Gives back what someone could do before: for this person only, the role that they shared.
 * @throws FormProblem when someone has changed it since; ApiFailure
 */
async function takeBack({ before, changed }: Change, changedFor: 'role' | 'person'): Promise<void> {
  const { name, role, own_role: isOwn, grant, schedule } = before;
  const username = name ?? '';
  const accessOf = (person: Person) => JSON.stringify([person.role, person.grant, person.schedule]);
  if (accessOf(await readPerson(username)) !== accessOf(changed))
    throw new FormProblem(fill(words.changedSince, { who: username }));
  if (!isOwn && changedFor === 'person') return giveRole(username, role);
  const { cameras, groups, may } = grant;
  const json = { cameras: [...(cameras ?? [])], groups, may, schedule, for: changedFor };
  await bodyOf(peopleApi[':username'].access.$put({ param: { username }, query: {}, json }));
}

/** @throws FormProblem */
function wanted(form: FormData, { own_role: isOwn, grant }: Person) {
  const ticked = checkedIn(form, 'camera');
  if (ticked.length === 0) throw new FormProblem(text.invitations.chooseCamera);
  const may = capabilities.filter((word) => checkedIn(form, 'may').includes(word));
  if (may.length === 0) throw new FormProblem(text.roleDialogs.needsMay);
  // A group stays as long as all that it gives stays.
  const ofGroups = grant.allowed_cameras.filter((camera) => grant.cameras?.includes(camera) === false);
  const keepsGroups = ofGroups.every((camera) => ticked.includes(camera));
  const schedule = scheduleIn(form);
  return {
    cameras: keepsGroups ? ticked.filter((camera) => !ofGroups.includes(camera)) : ticked,
    groups: keepsGroups ? grant.groups : [],
    may: [...may],
    schedule: Object.keys(schedule).length === 0 ? null : schedule,
    for: !isOwn && form.get('for') === 'role' ? ('role' as const) : ('person' as const),
  };
}

function sentenceOf(
  { may, schedule }: ReturnType<typeof wanted>,
  ticked: readonly string[],
  person: Person,
): string {
  const grant = { ...person.grant, cameras: [...ticked], may, allowed_cameras: inOrder(ticked) };
  return accessSentence({ ...person, schedule, grant }, person.name ?? '');
}

interface ChangeOfRole {
  readonly users: number;
  readonly usernames: readonly string[];
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

function Difference({ users, usernames, gains, loses }: ChangeOfRole) {
  const more = users - usernames.length;
  return (
    <>
      <p>
        {fill(words.changes, {
          names: listText([...usernames, ...(more > 0 ? [plural(words.others, more)] : [])]),
        })}
      </p>
      <p class="badges">
        {gains.map((camera) => (
          <span key={camera} class="tag lamp">
            + {cameraText(camera)}
          </span>
        ))}
        {loses.map((camera) => (
          <span key={camera} class="tag danger">
            − {cameraText(camera)}
          </span>
        ))}
      </p>
    </>
  );
}
