import { useEffect, useRef, useState } from 'preact/hooks';
import { asTyped, Field, Switch } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { Icon } from '../../ui/drawings.tsx';
import { withCode } from '../../ui/parts.tsx';
import { houseName } from '../../ui/page-marks.ts';
import { SaveButtons, SettingFailure } from '../../ui/settings/setting.tsx';
import { fill, text } from '../../text.ts';
import { KindIcon, useTest } from './target-card.tsx';
import {
  madeUpTopic,
  mailServerOf,
  placeOf,
  randomWord,
  targetIn,
  type Kind,
  type Target,
} from './targets.ts';

const words = text.notifications;

/** The fields of a target, which may be tested before it is saved. */
export function TargetForm(props: {
  readonly kind: Kind;
  /** The one that is edited. */
  readonly before: Target | undefined;
  /** Saves it. `undefined` removes the one before. */
  readonly onSave: (target: Target | undefined) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { kind, before, onSave, onClose } = props;
  const action = useAction();
  const { busy, fault, test, result } = useTest();
  const [isRemoving, setRemoving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { name } = words.kinds[kind];
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const testIt = () => {
    if (form.current?.reportValidity() === true) test(targetIn(new FormData(form.current), kind, before));
  };
  return (
    <article class="card target-form" aria-labelledby="target-form">
      <header>
        <KindIcon kind={kind} />
        <h2 id="target-form">
          {before === undefined ? fill(words.setUpOf, { kind: name }) : fill(words.editOf, { place: name })}
        </h2>
        <button type="button" class="quiet icon" aria-label={text.actions.close} onClick={onClose}>
          <Icon name="x" />
        </button>
      </header>
      <Form
        formRef={form}
        action={action}
        onSubmit={(fields) => onSave(targetIn(fields, kind, before))}
        submit={undefined}
        notice={<SettingFailure error={action.failure} />}
        below={
          <>
            <SaveButtons isBusy={action.busy}>
              <button type="button" class="secondary" disabled={busy} aria-busy={busy} onClick={testIt}>
                {words.test}
              </button>
              {before !== undefined && (
                <button type="button" class="quiet harm" onClick={() => setRemoving(true)}>
                  {words.remove}
                </button>
              )}
            </SaveButtons>
            {result}
          </>
        }
      >
        {kind === 'mail' ? <MailFields before={before} /> : <WebFields kind={kind} before={before} />}
        {(before?.private === true || fault === 'private_address') && (
          <Switch name="private" label={words.isPrivate} defaultChecked={before?.private === true} />
        )}
      </Form>
      {isRemoving && before !== undefined && (
        <FormDialog
          title={fill(words.removeQuestion, { place: placeOf(before) })}
          submit={words.remove}
          danger
          onClose={() => setRemoving(false)}
          onDone={() => undefined}
          onSubmit={() => onSave(undefined)}
        >
          <p>{words.removeMeans}</p>
        </FormDialog>
      )}
    </article>
  );
}

const placeholders = { ntfy: undefined, webhook: 'https://home.example.org/api/webhook/…' };

interface FieldsProps {
  readonly before: Target | undefined;
}

/** The address of a topic or a webhook, and its secret. */
function WebFields({ kind, before }: FieldsProps & { readonly kind: 'ntfy' | 'webhook' }) {
  const [topic] = useState(() => madeUpTopic(houseName));
  const [secret] = useState(() => randomWord(32));
  const isNew = before === undefined;
  const own = words.fields[kind];
  const hasSecret = before?.token !== undefined || before?.secret !== undefined;
  const secretHint = kind === 'webhook' && isNew ? words.fields.webhook.secretHint : undefined;
  return (
    <>
      <Field
        {...asTyped}
        label={own.url}
        hint={isNew ? own.urlHint : words.keepAddress}
        name="url"
        class="secret"
        inputMode="url"
        maxLength={512}
        defaultValue={isNew && kind === 'ntfy' ? topic : ''}
        placeholder={before === undefined ? placeholders[kind] : `https://${placeOf(before)}/…`}
        required={isNew}
      />
      <Field
        {...asTyped}
        autocomplete="new-password"
        type={kind === 'webhook' && isNew ? 'text' : 'password'}
        class="secret"
        label={own.secret}
        hint={hasSecret ? words.keepSecret : secretHint}
        name={kind === 'ntfy' ? 'token' : 'secret'}
        maxLength={512}
        defaultValue={kind === 'webhook' && isNew ? secret : ''}
        required={kind === 'webhook' && !hasSecret}
      />
      {kind === 'ntfy' && isNew && <p class="notice">{withCode(words.fields.ntfy.inApp)}</p>}
    </>
  );
}

function MailFields({ before }: FieldsProps) {
  const own = words.fields.mail;
  const known = before && mailServerOf(before);
  const [from, setFrom] = useState(before?.from);
  const [user, setUser] = useState(known?.user ?? '');
  // Most servers send only from the address that signs in.
  const likely = /^\S+@\S+$/.test(user) ? user : '';
  return (
    <>
      <div class="two-fields">
        <div>
          <Field
            {...asTyped}
            label={own.server}
            name="server"
            inputMode="url"
            maxLength={256}
            defaultValue={known?.server ?? ''}
            required
          />
        </div>
        <div>
          <Field
            {...asTyped}
            label={own.port}
            hint={own.portHint}
            name="port"
            inputMode="numeric"
            pattern="[0-9]{1,5}"
            maxLength={5}
            defaultValue={known?.port ?? '465'}
            required
          />
        </div>
        <div>
          <Field
            {...asTyped}
            label={own.user}
            name="user"
            maxLength={256}
            value={user}
            onInput={({ currentTarget }) => setUser(currentTarget.value)}
          />
        </div>
        <div>
          <Field
            {...asTyped}
            autocomplete="new-password"
            type="password"
            label={own.password}
            hint={known?.hasPassword === true ? words.keepSecret : undefined}
            name="password"
            maxLength={512}
          />
        </div>
        <div>
          <Field
            {...asTyped}
            type="email"
            label={own.from}
            name="from"
            maxLength={256}
            value={from ?? likely}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
            required
          />
        </div>
        <div>
          <Field
            {...asTyped}
            label={own.to}
            hint={own.toHint}
            name="to"
            maxLength={1024}
            defaultValue={before?.to?.join(', ') ?? ''}
          />
        </div>
      </div>
    </>
  );
}
