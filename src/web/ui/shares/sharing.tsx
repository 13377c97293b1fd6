import { useRef, useState } from 'preact/hooks';
import { useProfile } from '../../profile.ts';
import { cameraText } from '../cameras/camera-names.ts';
import { LoadFailure, Loading } from '../notices.tsx';
import { Modal } from '../forms/modal.tsx';
import { hasRecorder, longestShare } from '../page-marks.ts';
import { readExports, makeShare, livesUpTo, usualLife, type WantedShare } from './shares-api.ts';
import { text, fill } from '../../text.ts';
import { momentText, localTime, timeText } from '../time-text.ts';
import { showToast } from '../toasts.tsx';
import { useLoaded } from '../loading.ts';
import { Choice, Field } from '../forms/field.tsx';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { fieldOf } from '../forms/form-action.ts';
import { FormProblem } from '../../api-client.ts';
import { secondsOf } from '../explore-search.ts';
import { useShownPassword } from '../accounts/new-password.tsx';
import { LinkShownOnce } from '../shown-once.tsx';

interface SharingProps<Target> {
  readonly target: Target;
  readonly onClose: () => void;
  /** The link was shown. */
  readonly onMade?: (id: string) => void;
}

/** Creates a share, and shows its link. */
export function Sharing({ target, onClose, onMade }: SharingProps<ShareTarget>) {
  const made = useRef<MadeShare | undefined>(undefined);
  const [shown, show] = useState<MadeShare>();
  if (shown !== undefined) {
    const close = () => {
      onClose();
      showToast(text.shares.isMade);
      onMade?.(shown.id);
    };
    return <ShareLink made={shown} onClose={close} />;
  }
  return (
    <MakeShare
      target={target}
      onClose={() => (made.current === undefined ? onClose() : show(made.current))}
      onDone={(done) => (made.current = done)}
    />
  );
}

/** Shares one of the recorder's exports. */
export function SharingExport(props: Omit<SharingProps<never>, 'target'>) {
  const words = text.shares;
  const [state, reload] = useLoaded(async () => (hasRecorder ? readExports() : []));
  if (state.kind === 'loaded' && state.value.length > 0) {
    const choice = state.value.map(
      ({ id, name, camera, date }) =>
        [id, `${name} · ${cameraText(camera)} · ${momentText(date, true)}`] as const,
    );
    return <Sharing target={{ kind: 'export', choice }} {...props} />;
  }
  return (
    <Modal title={words.shareExport} onClose={props.onClose}>
      {state.kind === 'loading' && <Loading what={words.exports} />}
      {state.kind === 'failed' && <LoadFailure what={words.exports} error={state.error} onRetry={reload} />}
      {state.kind === 'loaded' && <p>{hasRecorder ? words.noExports : words.noRecorder}</p>}
    </Modal>
  );
}

/** The target of a share. */
export type ShareTarget =
  | { readonly kind: 'event'; readonly id: string; readonly title: string }
  /** `undefined`: the user chooses one of theirs. */
  | { readonly kind: 'camera'; readonly camera: string | undefined }
  /** The user chooses one of these. */
  | { readonly kind: 'export'; readonly choice: ReadonlyArray<readonly [id: string, name: string]> };

/** A new share, shown once. */
interface MadeShare {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: number;
  readonly hasPassword: boolean;
}

interface MakeShareProps extends DialogProps<MadeShare> {
  readonly target: ShareTarget;
}

const longestLabel = 64;

/** Asks for the settings of a share, and creates it. */
function MakeShare({ target, ...dialog }: MakeShareProps) {
  const words = text.shares;
  const [field, box] = useShownPassword();
  const { allowed_cameras: cameras } = useProfile();
  const { kind } = target;
  const isAnyCamera = kind === 'camera' && target.camera === undefined;
  const make = async (form: FormData): Promise<MadeShare> => {
    const password = fieldOf(form, 'password');
    const label = fieldOf(form, 'label').trim();
    const seconds = Number(fieldOf(form, 'seconds'));
    const wanted: WantedShare = {
      kind,
      ...(kind === 'camera'
        ? { camera: target.camera ?? fieldOf(form, 'camera'), ...periodOf(form) }
        : { id: idOf(target, form) }),
      expires_in: seconds,
      ...(password === '' ? {} : { password }),
      ...(label === '' ? {} : { label }),
    };
    const made = await makeShare(wanted);
    return { ...made, expiresAt: Date.now() / 1000 + seconds, hasPassword: password !== '' };
  };
  return (
    <FormDialog title={titleOf(kind)} submit={words.make} onSubmit={make} {...dialog}>
      {kind === 'export' && (
        <Choice label={words.export} name="id" options={target.choice} autofocus required />
      )}
      {isAnyCamera && (
        <Choice
          label={words.kinds.camera}
          name="camera"
          options={cameras.map((camera) => [camera, cameraText(camera)])}
          autofocus
          required
        />
      )}
      {kind === 'camera' && <Period isFirst={!isAnyCamera} />}
      <Choice
        label={words.life}
        name="seconds"
        options={livesUpTo(longestShare)}
        value={usualLife}
        autofocus={kind === 'event'}
        required
      />
      <Field
        label={words.label}
        hint={words.labelHint}
        name="label"
        autocomplete="off"
        maxLength={longestLabel}
        defaultValue={kind === 'event' ? target.title.slice(0, longestLabel).toWellFormed() : ''}
      />
      <Field
        label={words.password}
        hint={words.passwordHint}
        name="password"
        {...field}
        minLength={8}
        maxLength={1024}
      />
      {box}
    </FormDialog>
  );
}

function titleOf(kind: ShareTarget['kind']): string {
  const { shareEvent, shareCamera, shareExport } = text.shares;
  return { event: shareEvent, camera: shareCamera, export: shareExport }[kind];
}

function idOf(target: ShareTarget, form: FormData): string {
  return target.kind === 'event' ? target.id : fieldOf(form, 'id');
}

/** Fields for the time of a camera's share: from now on, or a period. */
function Period({ isFirst }: { readonly isFirst: boolean }) {
  const words = text.shares;
  const [isPeriod, setPeriod] = useState(false);
  const now = Date.now();
  return (
    <>
      <Choice
        label={words.shown}
        hint={isPeriod ? words.periodHint : words.fromNowHint}
        name="shown"
        options={[
          ['now', words.fromNow],
          ['period', words.period],
        ]}
        autofocus={isFirst}
        onChange={(event) => setPeriod(event.currentTarget.value === 'period')}
      />
      {isPeriod && (
        <>
          <Field
            label={words.from}
            name="from"
            type="datetime-local"
            defaultValue={localTime(now - 3_600_000)}
            required
          />
          <Field label={words.to} name="until" type="datetime-local" defaultValue={localTime(now)} required />
        </>
      )}
    </>
  );
}

/** @throws FormProblem */
function periodOf(form: FormData): Pick<WantedShare, 'from' | 'until'> {
  if (fieldOf(form, 'shown') !== 'period') return {};
  const [from, until] = [secondsOf(fieldOf(form, 'from')), secondsOf(fieldOf(form, 'until'))];
  if (from === undefined || until === undefined || until <= from)
    throw new FormProblem(text.shares.wrongPeriod);
  return { from, until };
}

/** The new link. */
function ShareLink({ made, onClose }: { readonly made: MadeShare; readonly onClose: () => void }) {
  const words = text.shares;
  return (
    <LinkShownOnce
      title={words.made}
      url={made.url}
      rows={4}
      words={words}
      below={
        <>
          {fill(words.needsNoAccount, { until: timeText(made.expiresAt) })}{' '}
          {made.hasPassword && words.withPassword} {words.endIt}
        </>
      }
      onClose={onClose}
    />
  );
}
