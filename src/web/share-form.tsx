import { useId, useState } from 'preact/hooks';
import { FormDialog, type DialogProps } from './form-dialog.tsx';
import { fieldOf, FormProblem } from './form-field.ts';
import { secondsOf } from './explore-search.ts';
import { livesUpTo, usualLife } from './share-text.ts';
import { longestShare } from './share-limit.ts';
import { makeShare, type WantedShare } from './shares-api.ts';
import { text } from './text.ts';

/** What is to be shared. */
export type ShareTarget =
  | { readonly kind: 'event'; readonly id: string; readonly title: string }
  | { readonly kind: 'camera'; readonly camera: string }
  /** One of these, by its id. */
  | { readonly kind: 'export'; readonly choice: ReadonlyArray<readonly [id: string, name: string]> };

/** What is known of a new share, this once. */
export interface MadeShare {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: number;
  readonly hasPassword: boolean;
}

interface MakeShareProps extends DialogProps<MadeShare> {
  readonly target: ShareTarget;
}

const longestLabel = 64;

/** Asks how something is shared, and shares it. */
export function MakeShare({ target, onClose, onDone }: MakeShareProps) {
  const words = text.shares;
  const [isShown, show] = useState(false);
  // Typed like a password field: some attributes hang on the type.
  const type = (isShown ? 'text' : 'password') as 'password';
  const { kind } = target;
  const [labelHint, passwordHint] = [useId(), useId()];
  const make = async (form: FormData): Promise<MadeShare> => {
    const password = fieldOf(form, 'password');
    const label = fieldOf(form, 'label').trim();
    const seconds = Number(fieldOf(form, 'seconds'));
    const wanted: WantedShare = {
      kind,
      ...(kind === 'camera' ? { camera: target.camera, ...periodOf(form) } : { id: idOf(target, form) }),
      expires_in: seconds,
      ...(password === '' ? {} : { password }),
      ...(label === '' ? {} : { label }),
    };
    const made = await makeShare(wanted);
    return { ...made, expiresAt: Date.now() / 1000 + seconds, hasPassword: password !== '' };
  };
  return (
    <FormDialog title={titleOf(kind)} submit={words.make} onClose={onClose} onDone={onDone} onSubmit={make}>
      {kind === 'export' && (
        <label>
          {words.export}
          <select name="id" required autofocus>
            {target.choice.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {kind === 'camera' && <Period />}
      <label>
        {words.life}
        <select name="seconds" required autofocus={kind === 'event'}>
          {livesUpTo(longestShare).map(([seconds, name]) => (
            <option key={seconds} value={seconds} selected={seconds === usualLife}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.label}
        <input
          name="label"
          aria-describedby={labelHint}
          autocomplete="off"
          maxLength={longestLabel}
          defaultValue={kind === 'event' ? target.title.slice(0, longestLabel).toWellFormed() : ''}
        />
      </label>
      <small id={labelHint}>{words.labelHint}</small>
      <label>
        {words.password}
        <input name="password" type={type} autocomplete="new-password" minLength={8} maxLength={1024} />
      </label>
      <small id={passwordHint}>{words.passwordHint}</small>
      <label class="inline">
        <input type="checkbox" checked={isShown} onChange={(event) => show(event.currentTarget.checked)} />
        {text.passwords.show}
      </label>
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

/** Of a camera: from now on, or a period. */
function Period() {
  const words = text.shares;
  const [isPeriod, setPeriod] = useState(false);
  const hint = useId();
  const now = Date.now();
  return (
    <>
      <label>
        {words.shown}
        <select
          name="shown"
          aria-describedby={hint}
          autofocus
          onChange={(event) => setPeriod(event.currentTarget.value === 'period')}
        >
          <option value="now">{words.fromNow}</option>
          <option value="period">{words.period}</option>
        </select>
      </label>
      <small id={hint}>{isPeriod ? words.periodHint : words.fromNowHint}</small>
      {isPeriod && (
        <>
          <label>
            {words.from}
            <input name="from" type="datetime-local" required defaultValue={fieldText(now - 3_600_000)} />
          </label>
          <label>
            {words.to}
            <input name="until" type="datetime-local" required defaultValue={fieldText(now)} />
          </label>
        </>
      )}
    </>
  );
}

/** @returns a moment as a field for it has it, in the time zone of the browser */
function fieldText(milliseconds: number): string {
  const offset = new Date(milliseconds).getTimezoneOffset() * 60_000;
  return new Date(milliseconds - offset).toISOString().slice(0, 16);
}

/** @throws FormProblem */
function periodOf(form: FormData): Pick<WantedShare, 'from' | 'until'> {
  if (fieldOf(form, 'shown') !== 'period') return {};
  const [from, until] = [secondsOf(fieldOf(form, 'from')), secondsOf(fieldOf(form, 'until'))];
  if (from === undefined || until === undefined || until <= from)
    throw new FormProblem(text.shares.wrongPeriod);
  return { from, until };
}
