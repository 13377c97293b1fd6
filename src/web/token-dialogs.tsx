import { useEffect, useRef, useState } from 'preact/hooks';
import { apiTokensApi, bodyOf, type ApiToken, type Role } from './api-client.ts';
import { dateText } from './time-text.ts';
import { FormDialog, type DialogProps } from './form-dialog.tsx';
import { fieldOf, FormProblem } from './form-field.ts';
import { Modal } from './modal.tsx';
import { useProfile } from './profile.ts';

/** What is known of a new token, this once. */
export interface MadeToken {
  readonly name: string;
  readonly token: string;
  readonly expires_at: number | null;
}

const lives: ReadonlyArray<readonly [days: number | undefined, text: string]> = [
  [30, 'in 30 days'],
  [90, 'in 90 days'],
  [365, 'in a year'],
  [undefined, 'never'],
];

export function AddToken(props: {
  /** Custom roles that the user knows of. */
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
    if (taken.includes(name)) throw new FormProblem('You have an API token of this name.');
    const chosen = form.getAll('camera').filter((camera) => typeof camera === 'string');
    if (mayScope && isCameraScoped && chosen.length === 0) throw new FormProblem('Choose a camera at least.');
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
      title="Add API token"
      submit="Add API token"
      onClose={() => (made.current === undefined ? onClose() : onMade(made.current))}
      onDone={() => undefined}
      onSubmit={add}
    >
      <label>
        Name
        <input name="name" autocomplete="off" maxLength={64} autofocus required />
        <small>What it is for, such as “Home Assistant”.</small>
      </label>
      <label>
        Role
        <select name="role" required value={role} onChange={(event) => setRole(event.currentTarget.value)}>
          {offered.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {role === 'admin' && <small>Whoever has it may do almost everything, on all cameras.</small>}
      </label>
      <label>
        Expires
        <select name="days" required>
          {lives.map(([days, text]) => (
            <option key={text} value={days ?? 0} selected={days === 90}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {mayScope && (
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked={isCameraScoped}
            onChange={(event) => setCameraScoped(event.currentTarget.checked)}
          />
          Only some of the cameras
        </label>
      )}
      {mayScope && isCameraScoped && (
        <fieldset>
          <legend>Cameras that the token may see</legend>
          <small>It reads only, and gets a list only when it names these cameras in its query.</small>
          {cameras.length === 0 && <small>There are no cameras.</small>}
          {cameras.map((camera) => (
            <label key={camera} class="switch">
              <input type="checkbox" role="switch" name="camera" value={camera} />
              {camera}
            </label>
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

/** Roles that are not wider than one's own, of those that one knows of. */
function rolesFor(own: string, roles: readonly Role[]): string[] {
  const custom = roles.map(({ name }) => name);
  if (own === 'admin') return ['admin', 'viewer', ...custom];
  return own === 'viewer' ? ['viewer', ...custom] : [own];
}

/** The new token. It is closed on purpose only: it is never shown again. */
export function ShownToken({ made, onClose }: { readonly made: MadeToken; readonly onClose: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [told, setTold] = useState('');
  // The field has the focus and its text is selected: a screen reader says it, and it can be copied by hand.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(made.token);
      setTold('Copied.');
    } catch {
      field.current?.focus();
      setTold('It could not be copied: it is selected, copy it yourself.');
    }
  };
  return (
    <Modal title={`API token ${made.name}`} firm onClose={onClose}>
      <p>
        Copy it now: <strong>it is not shown again.</strong>{' '}
        {made.expires_at === null ? 'It does not expire.' : `It expires ${dateText(made.expires_at)}.`}
      </p>
      <label>
        API token
        <textarea ref={field} class="secret" value={made.token} rows={2} readOnly spellcheck={false} />
      </label>
      <p>
        <small>
          Send it as <code>Authorization: Bearer …</code>
        </small>
      </p>
      <p role="status" class={told === '' ? 'hidden-text' : 'notice success'}>
        {told}
      </p>
      <footer class="dialog-buttons">
        <button type="button" class="secondary outline" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" onClick={onClose}>
          Done
        </button>
      </footer>
    </Modal>
  );
}

export function RevokeToken({ token, onClose, onDone }: DialogProps & { readonly token: ApiToken }) {
  const revoke = async () => {
    await bodyOf(apiTokensApi[':id'].$delete({ param: { id: token.id } }));
  };
  return (
    <FormDialog
      title={`Revoke ${token.name}?`}
      submit="Revoke API token"
      danger
      onClose={onClose}
      onDone={onDone}
      onSubmit={revoke}
    >
      <p>
        Whatever uses <strong>{token.name}</strong> of {token.username} is refused at once. This cannot be
        undone.
      </p>
    </FormDialog>
  );
}
