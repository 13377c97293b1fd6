import { roleText, mayByDefault, mayOf } from '../../ui/roles/role-access.ts';
import { useRef, useState } from 'preact/hooks';
import { apiTokensApi, bodyOf, type Role, FormProblem } from '../../api-client.ts';
import { Choice, Field, Switch } from '../../ui/forms/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { dateText } from '../../ui/time-text.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { fieldOf } from '../../ui/forms/form-action.ts';
import { MayFields } from '../../ui/roles/capabilities.tsx';
import { useProfile } from '../../profile.ts';
import { fill, text } from '../../text.ts';

/** A new token, shown once. */
export interface MadeToken {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly expires_at: number | null;
}

/** Days. 0 for a token that does not expire. */
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
  const [isLimited, setLimited] = useState(false);
  const made = useRef<MadeToken | undefined>(undefined);
  const custom = roles.find(({ name }) => name === role);
  const cameras = custom?.allowed_cameras ?? profile.allowed_cameras;
  const own = role === profile.role ? profile.may : undefined;
  const mayOfRole = own ?? (custom === undefined ? mayByDefault(role) : mayOf(custom));
  const mayScope = role !== 'admin';

  const add = async (form: FormData) => {
    const name = fieldOf(form, 'name').trim();
    if (taken.includes(name)) throw new FormProblem(text.newToken.taken);
    const chosen = form.getAll('camera').filter((camera) => typeof camera === 'string');
    if (mayScope && isCameraScoped && chosen.length === 0) throw new FormProblem(text.newToken.chooseCamera);
    const may = mayOfRole.filter((capability) => form.getAll('may').includes(capability));
    if (mayScope && isLimited && may.length === 0) throw new FormProblem(text.newToken.chooseMay);
    const days = Number(fieldOf(form, 'days'));
    const json = {
      name,
      role,
      ...(mayScope && isCameraScoped ? { cameras: chosen } : {}),
      ...(mayScope && isLimited ? { access: { may } } : {}),
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
        hint={text.newToken.nameHint}
        name="name"
        autocomplete="off"
        maxLength={64}
        autofocus
        required
      />
      <Choice
        label={text.tokens.role}
        hint={role === 'admin' ? text.newToken.adminHint : undefined}
        name="role"
        options={offered.map((name) => [name, roleText(name)])}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value)}
        required
      />
      <Choice
        label={text.newToken.life}
        name="days"
        options={lives.map((days) => [days, text.newToken.lives[days]])}
        value={90}
        required
      />
      {mayScope && (
        <Switch
          label={text.newToken.scoped}
          name="scoped"
          checked={isCameraScoped}
          onChange={(event) => setCameraScoped(event.currentTarget.checked)}
        />
      )}
      {mayScope && isCameraScoped && (
        <fieldset>
          <legend>{text.newToken.mayBeSeen}</legend>
          <small>{text.newToken.scopedHint}</small>
          {cameras.length === 0 && <small>{text.newToken.noCameras}</small>}
          {cameras.map((camera) => (
            <Switch key={camera} label={cameraText(camera)} name="camera" value={camera} />
          ))}
        </fieldset>
      )}
      {mayScope && (
        <Switch
          label={text.newToken.limit}
          name="limited"
          checked={isLimited}
          onChange={(event) => setLimited(event.currentTarget.checked)}
        />
      )}
      {mayScope && isLimited && <MayFields may={[]} offered={mayOfRole} legend={text.newToken.mayDo} />}
    </FormDialog>
  );
}

/** @returns the roles that are not wider than the user's own */
function rolesFor(own: string, roles: readonly Role[]): string[] {
  const custom = roles.map(({ name }) => name);
  if (own === 'admin') return ['admin', 'viewer', ...custom];
  return own === 'viewer' ? ['viewer', ...custom] : [own];
}

export function ShownToken({ made, onClose }: { readonly made: MadeToken; readonly onClose: () => void }) {
  return (
    <ShownOnce
      title={fill(text.newToken.shown, { name: made.name })}
      label={text.newToken.token}
      value={made.token}
      rows={2}
      below={
        <>
          {text.newToken.sendAs} <code>Authorization: Bearer …</code>
        </>
      }
      done={text.newToken.done}
      onClose={onClose}
    >
      {text.newToken.copyNow} <strong>{text.newToken.notShownAgain}</strong>{' '}
      {made.expires_at === null
        ? text.newToken.expiresNever
        : fill(text.newToken.expiresOn, { date: dateText(made.expires_at) })}
    </ShownOnce>
  );
}
