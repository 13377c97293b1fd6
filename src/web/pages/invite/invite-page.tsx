import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFailure, bodyOf, codeIn, fetchThroughGate, messageOf, invitationsApi } from '../../api-client.ts';
import { gatePath, pageOf, pathTo } from '../../path-prefix.ts';
import { fill, text } from '../../text.ts';
import { NewPassword, passwordOf } from '../../ui/accounts/new-password.tsx';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { fieldOf, useAction } from '../../ui/forms/form-action.ts';
import { Form } from '../../ui/forms/form.tsx';
import { afterSignIn, hrefOf } from '../../ui/sign-in/destination.ts';
import { Gatehouse } from '../../ui/drawings.tsx';
import { houseName, hasPasskeys } from '../../ui/page-marks.ts';
import { canText } from '../../ui/roles/can-text.ts';
import { listText, nameText } from '../../ui/words.ts';
import { scheduleText } from '../../ui/roles/schedule.ts';
import { makePasskey, type PasskeyOptions } from '../../ui/sign-in/passkeys.ts';
import { useLoaded } from '../../ui/loading.ts';
import { gateZone } from '../../ui/time-text.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';

const words = text.invitePage;

// Browsers send no fragment, so only this page has the secret.
const secret = location.hash.slice(1);

/** The page behind an invitation. It asks Postern only for that. */
export function InvitePage() {
  const id = pageOf(useLocation().path).split('/').at(-1) ?? '';
  usePageTitle(words.pageTitle);
  return <main class="share">{secret === '' ? <Incomplete /> : <Invited id={id} />}</main>;
}

function Incomplete() {
  return (
    <Gatehouse isShut>
      <section role="alert">
        <h1>{words.incomplete}</h1>
        <p>{words.incompleteHint}</p>
      </section>
    </Gatehouse>
  );
}

const isOverError = (error: unknown) =>
  error instanceof ApiFailure && codeIn(error.body) === 'invitation_over';

const opened = (id: string) => bodyOf(invitationsApi[':id'].open.$post({ param: { id }, json: { secret } }));

function Invited({ id }: { readonly id: string }) {
  const [state, retry] = useLoaded(() => opened(id));
  const [isOver, end] = useState(false);
  if (state.kind === 'loading')
    return (
      <p class="placeholder" role="status" aria-busy="true">
        {words.opening}
      </p>
    );
  if (isOver || (state.kind === 'failed' && isOverError(state.error)))
    return (
      <Gatehouse isShut>
        <section role="alert">
          <h1>{words.over}</h1>
          <p>{words.overHint}</p>
          <a class="button" href={pathTo('/login')}>
            {words.signIn}
          </a>
        </section>
      </Gatehouse>
    );
  if (state.kind === 'failed')
    return (
      <Gatehouse isShut>
        <section role="alert">
          <h1>{words.failed}</h1>
          <p>{messageOf(state.error)}</p>
          <button type="button" onClick={retry}>
            {text.actions.tryAgain}
          </button>
        </section>
      </Gatehouse>
    );
  return <Join id={id} invitation={state.value} onOver={() => end(true)} />;
}

/** @throws ApiFailure */
async function accept(id: string, json: object): Promise<void> {
  const body = JSON.stringify(json);
  const headers = { 'content-type': 'application/json' };
  const path = gatePath(`/api/invitations/${encodeURIComponent(id)}/accept`);
  await bodyOf(fetchThroughGate(path, { method: 'POST', headers, body }));
}

interface JoinProps {
  readonly id: string;
  readonly invitation: Awaited<ReturnType<typeof opened>>;
  readonly onOver: () => void;
}

function Join({ id, invitation, onOver }: JoinProps) {
  const { name, made_by: by, cameras, may, schedule, passkeys } = invitation;
  const canPasskey = passkeys && hasPasskeys();
  const [byPasskey, setByPasskey] = useState(canPasskey);
  const action = useAction();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const when = schedule === null ? '' : scheduleText(schedule, may.includes('history'), gateZone());

  const join = async (form: FormData) => {
    const username = fieldOf(form, 'username').trim();
    const proof = byPasskey ? { passkey: await newPasskey(username) } : { password: passwordOf(form) };
    try {
      await accept(id, { secret, username, ...proof });
    } catch (error) {
      if (isOverError(error)) return onOver();
      throw error;
    }
    location.replace(hrefOf(afterSignIn()));
  };
  const newPasskey = async (username: string) =>
    makePasskey(
      (await bodyOf(
        invitationsApi[':id'].passkey.$post({ param: { id }, json: { secret, username } }),
      )) as unknown as PasskeyOptions<PublicKeyCredentialCreationOptionsJSON>,
    );
  return (
    <Gatehouse>
      <div>
        <p class="by">{fill(words.invitesYou, { by })}</p>
        <h1 ref={heading} tabIndex={-1}>
          {houseName}
        </h1>
        <p>
          {fill(words.canUse, {
            what: canText(may, listText(cameras.map(nameText))),
            when: when === '' ? '' : ` ${when}`,
          })}
        </p>
      </div>
      <Form action={action} submit={byPasskey ? words.joinPasskey : words.joinPassword} onSubmit={join}>
        <Field
          label={words.userName}
          {...asTyped}
          autocomplete="username"
          name="username"
          defaultValue={name ?? ''}
          pattern="(?!\.{1,2}$)[A-Za-z0-9._@\-]{1,64}"
          title={text.users.nameForm}
          maxLength={64}
          required
        />
        {!byPasskey && <NewPassword label={words.password} />}
      </Form>
      {canPasskey && (
        <p>
          <button type="button" class="as-link" onClick={() => setByPasskey(!byPasskey)}>
            {byPasskey ? words.usePassword : words.usePasskey}
          </button>
        </p>
      )}
    </Gatehouse>
  );
}
