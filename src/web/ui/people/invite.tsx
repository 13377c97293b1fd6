import { useState } from 'preact/hooks';
import { bodyOf, invitationsApi, type MadeInvitation, FormProblem } from '../../api-client.ts';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';
import { CameraPicks } from '../cameras/camera-choice.tsx';
import { cameraText, inOrder } from '../cameras/camera-names.ts';
import { Chips, asTyped, Choice, Field } from '../forms/field.tsx';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { fieldOf } from '../forms/form-action.ts';
import { canText } from '../roles/can-text.ts';
import { listText } from '../words.ts';
import { scheduleText } from '../roles/schedule.ts';
import { LinkShownOnce } from '../shown-once.tsx';
import { isOfThisComputer } from '../site-address.ts';
import { momentText, gateZone, isForeign } from '../time-text.ts';
import { QrCode } from '../qr-code.tsx';
import { linkLife, scheduleFor, type When } from './invite-when.ts';

const words = text.invitations;
const capabilities = ['live', 'history', 'export', 'talk', 'share'] as const;
const times: ReadonlyArray<readonly [When, string]> = [
  ['weekend', words.weekend],
  ['week', words.week],
  ['always', words.always],
  ['dates', words.dates],
];

/** @throws FormProblem */
function wantedIn(form: FormData, now: number) {
  const zone = gateZone();
  const name = fieldOf(form, 'name').trim();
  const who = name === '' ? {} : { name };
  const role = fieldOf(form, 'role');
  if (role !== '') return { ...who, role, expires_in: linkLife(undefined, now, zone) };
  const cameras = form.getAll('camera').filter((camera) => typeof camera === 'string');
  if (cameras.length === 0) throw new FormProblem(words.chooseCamera);
  const ticked = capabilities.filter((capability) => form.getAll('may').includes(capability));
  const may = ticked.length === 0 ? [capabilities[0]] : ticked;
  const fields = {
    when: fieldOf(form, 'when') as When,
    from: fieldOf(form, 'from'),
    until: fieldOf(form, 'until'),
  };
  const schedule = scheduleFor(fields, may.includes('history'), now, zone);
  if (schedule === null) throw new FormProblem(words.chooseDates);
  return {
    ...who,
    cameras,
    may,
    ...(schedule !== undefined && { schedule }),
    expires_in: linkLife(schedule, now, zone),
  };
}

/** Tells the effect of the fields before the invitation is made. */
function sumOf(form: FormData): string {
  try {
    const wanted = wantedIn(form, Date.now());
    const who = wanted.name ?? words.someone;
    if ('role' in wanted) return fill(words.sumRole, { who, role: wanted.role });
    const { cameras, may, schedule } = wanted;
    return fill(words.sum, {
      who,
      what: canText(may, listText(inOrder(cameras).map(cameraText))),
      when:
        schedule === undefined
          ? words.alwaysOpen
          : scheduleText(schedule, may.includes('history'), gateZone()),
    });
  } catch (error) {
    return error instanceof FormProblem ? error.message : '';
  }
}

/** Invites someone to cameras, or to a role. */
export function InviteSomeone({
  roles,
  ...dialog
}: DialogProps<MadeInvitation> & { readonly roles: readonly string[] }) {
  const { allowed_cameras: cameras } = useProfile();
  const [byRole, setByRole] = useState(false);
  const [when, setWhen] = useState<When>('weekend');
  const [sum, setSum] = useState('');
  return (
    <FormDialog<MadeInvitation>
      title={words.title}
      submit={words.create}
      onSubmit={(form) => bodyOf(invitationsApi.index.$post({ json: wantedIn(form, Date.now()) }))}
      {...dialog}
    >
      <div
        class="invite"
        onInput={({ currentTarget }) => {
          const form = currentTarget.closest('form');
          if (form !== null) setSum(sumOf(new FormData(form)));
        }}
      >
        <Field
          label={words.name}
          hint={words.nameHint}
          {...asTyped}
          name="name"
          pattern="(?!\.{1,2}$)[A-Za-z0-9._@\-]{1,64}"
          title={text.users.nameForm}
          maxLength={64}
          autofocus
        />
        {byRole ? (
          <Choice
            label={words.role}
            name="role"
            options={roles.map((role) => [role, role])}
            value="viewer"
            required
          />
        ) : (
          <>
            <CameraPicks cameras={cameras} legend={words.cameras} chosen={[]} />
            <Chips
              legend={words.when}
              type="radio"
              name="when"
              options={times}
              chosen={['weekend']}
              onChoose={setWhen}
            />
            {when === 'dates' && (
              <div class="two-fields">
                <Field label={words.from} name="from" type="datetime-local" required />
                <Field label={words.until} name="until" type="datetime-local" required />
              </div>
            )}
            {when !== 'always' && isForeign(gateZone()) && (
              <small>{fill(words.inZone, { zone: gateZone() })}</small>
            )}
            <Chips
              legend={words.may}
              type="checkbox"
              name="may"
              options={capabilities.map((capability) => [capability, text.capabilities.names[capability]])}
              chosen={['live']}
            />
          </>
        )}
        {sum !== '' && (
          <p class="sum" role="status">
            {sum}
          </p>
        )}
        <p>
          <button
            type="button"
            class="as-link"
            onClick={() => {
              setByRole(!byRole);
              // It was about the other fields.
              setSum('');
            }}
          >
            {byRole ? words.useCameras : words.useRole}
          </button>
        </p>
      </div>
    </FormDialog>
  );
}

/** The link of a new invitation. */
export function InvitationLink({
  made,
  onClose,
}: {
  readonly made: MadeInvitation;
  readonly onClose: () => void;
}) {
  return (
    <LinkShownOnce
      title={made.name === null ? words.readyForOne : fill(words.ready, { who: made.name })}
      url={made.url}
      rows={3}
      words={words}
      below={
        <>
          {!isOfThisComputer(new URL(made.url)) && <QrCode value={made.url} label={words.qr} />}
          {fill(words.validUntil, { time: momentText(made.expires_at, true) })}
        </>
      }
      onClose={onClose}
    />
  );
}
