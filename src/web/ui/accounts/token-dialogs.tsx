import { useEffect, useRef, useState } from 'preact/hooks';
import { apiTokensApi, bodyOf, type ApiToken, type Role } from '../../api-client.ts';
import { dateText } from '../time-text.ts';
import { Choice, Field, Switch } from '../forms/field.tsx';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { fieldOf, FormProblem } from '../forms/form-field.ts';
import { Modal } from '../forms/modal.tsx';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';

/** A new token, shown once. */
export interface MadeToken {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly expires_at: number | null;
}

/** Days; 0: it does not expire. */
const lives = [30, 90, 365, 0] as const;

export function AddToken(props: {
  /** Custom roles that the user may see. */
  readonly roles: readonly Role[];
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onMade: (made: MadeToken) => void;
}) {
  const { roles, taken, onClose, onMade } = props;
  const profile = useProfile();
  const offered = rolesFor(profile.role, roles);
  const [role, setRole] = useState(offered.includes('viewer') ? 'viewer' : profile.role);
  const [isCameraScoped, setCameraScoped] = useState(false);
  const made = useRef<MadeToken | undefined>(undefined);
  const cameras = roles.find(({ name }) => name === role)?.cameras ?? profile.allowed_cameras;
  const mayScope = role !== 'admin';

  const add = async (form: FormData) => {
    const name = fieldOf(form, 'name').trim();
    if (taken.includes(name)) throw new FormProblem(text.tokens.taken);
    const chosen = form.getAll('camera').filter((camera) => typeof camera === 'string');
    if (mayScope && isCameraScoped && chosen.length === 0) throw new FormProblem(text.tokens.chooseCamera);
    const days = Number(fieldOf(form, 'days'));
    const json = {
      name,
      role,
      ...(mayScope && isCameraScoped ? { cameras: chosen } : {}),
      ...(days > 0 ? { expires_in_days: days } : {}),
    };
    made.current = await bodyOf(apiTokensApi.index.$post({ json }));
  };
  return (
    <FormDialog
      title={text.tokens.add}
      submit={text.tokens.add}
      onClose={() => (made.current === undefined ? onClose() : onMade(made.current))}
      onDone={() => undefined}
      onSubmit={add}
    >
      <Field
        label={text.tokens.name}
        hint={text.tokens.nameHint}
        name="name"
        autocomplete="off"
        maxLength={64}
        autofocus
        required
      />
      <Choice
        label={text.tokens.role}
        hint={role === 'admin' ? text.tokens.adminHint : undefined}
        name="role"
        options={offered.map((name) => [name, name])}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value)}
        required
      />
      <Choice
        label={text.tokens.life}
        name="days"
        options={lives.map((days) => [days, text.tokens.lives[days]])}
        value={90}
        required
      />
      {mayScope && (
        <Switch
          label={text.tokens.scoped}
          name="scoped"
          checked={isCameraScoped}
          onChange={(event) => setCameraScoped(event.currentTarget.checked)}
        />
      )}
      {mayScope && isCameraScoped && (
        <fieldset>
          <legend>{text.tokens.mayBeSeen}</legend>
          <small>{text.tokens.scopedHint}</small>
          {cameras.length === 0 && <small>{text.tokens.noCameras}</small>}
          {cameras.map((camera) => (
            <Switch key={camera} label={camera} name="camera" value={camera} />
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

/** The known roles that are not wider than the user's own. */
function rolesFor(own: string, roles: readonly Role[]): string[] {
  const custom = roles.map(({ name }) => name);
  if (own === 'admin') return ['admin', 'viewer', ...custom];
  return own === 'viewer' ? ['viewer', ...custom] : [own];
}

/** The new token. Only an explicit action closes it: it is never shown again. */
export function ShownToken({ made, onClose }: { readonly made: MadeToken; readonly onClose: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [status, setStatus] = useState('');
  // The field is focused and its text selected: screen readers announce it, and it can be copied by hand.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(made.token);
      setStatus(text.copying.copied);
    } catch {
      field.current?.focus();
      setStatus(text.copying.notCopied);
    }
  };
  return (
    <Modal title={text.tokens.shown(made.name)} firm onClose={onClose}>
      <p>
        {text.tokens.copyNow} <strong>{text.tokens.notShownAgain}</strong>{' '}
        {made.expires_at === null
          ? text.tokens.expiresNever
          : text.tokens.expiresOn(dateText(made.expires_at))}
      </p>
      <label>
        {text.tokens.token}
        <textarea ref={field} class="secret" value={made.token} rows={2} readOnly spellcheck={false} />
      </label>
      <p>
        <small>
          {text.tokens.sendAs} <code>Authorization: Bearer …</code>
        </small>
      </p>
      <p role="status" class={status === '' ? 'hidden-text' : 'notice success'}>
        {status}
      </p>
      <footer class="dialog-buttons">
        <button type="button" class="secondary outline" onClick={() => void copy()}>
          {text.copying.copy}
        </button>
        <button type="button" onClick={onClose}>
          {text.tokens.done}
        </button>
      </footer>
    </Modal>
  );
}

export function RevokeToken({ token, ...dialog }: DialogProps & { readonly token: ApiToken }) {
  const revoke = async () => {
    await bodyOf(apiTokensApi[':id'].$delete({ param: { id: token.id } }));
  };
  return (
    <FormDialog
      title={text.tokens.revokeQuestion(token.name)}
      submit={text.tokens.revokeToken}
      danger
      onSubmit={revoke}
      {...dialog}
    >
      <p>{text.tokens.revokeMeans(token.name, token.username)}</p>
    </FormDialog>
  );
}
