import { useState } from 'preact/hooks';
import { bodyOf, ownEmailApi, pushApi, FormProblem } from '../../api-client.ts';
import { Field } from '../../ui/forms/field.tsx';
import { fieldOf, useAction } from '../../ui/forms/form-action.ts';
import { Form } from '../../ui/forms/form.tsx';
import { LoadFailure, Loading, FailureNotice } from '../../ui/notices.tsx';
import { TitledSection } from '../../ui/section.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { fill, text } from '../../text.ts';
import { gatePath } from '../../path-prefix.ts';
import { ownSubscription, register, subscriptionId } from '../../ui/own-push.ts';

const alertWords = text.notifications.own;

/** Alerts of the user. Nothing appears where Postern sends none. */
export function OwnAlerts() {
  const [state, reload] = useLoaded(() => bodyOf(ownEmailApi.email.$get()));
  if (state.kind === 'loading') return <Loading what={alertWords.what} />;
  if (state.kind === 'failed')
    return <LoadFailure what={alertWords.what} error={state.error} onRetry={reload} />;
  const { mails, email, of_provider: isOfProvider } = state.value;
  if (!mails) return null;
  return (
    <TitledSection id="alerts" title={alertWords.title}>
      {isOfProvider ? (
        email !== null && <p>{fill(alertWords.ofProvider, { email })}</p>
      ) : (
        <EmailForm email={email ?? ''} />
      )}
    </TitledSection>
  );
}

function EmailForm({ email }: { readonly email: string }) {
  const action = useAction();
  const [saved, setSaved] = useState<string | null>();
  const save = async (form: FormData) => {
    setSaved(undefined);
    const wanted = fieldOf(form, 'email').trim() || null;
    await bodyOf(ownEmailApi.email.$put({ json: { email: wanted } }));
    setSaved(wanted);
  };
  return (
    <Form
      action={action}
      onSubmit={save}
      submit={alertWords.save}
      submitClass="secondary outline"
      notice={
        saved !== undefined && (
          <p class="notice success" role="status">
            {saved === null ? alertWords.cleared : alertWords.saved}
          </p>
        )
      }
    >
      <Field
        label={alertWords.email}
        hint={alertWords.emailHint}
        type="email"
        name="email"
        autocomplete="email"
        defaultValue={email}
        maxLength={254}
      />
    </Form>
  );
}

const pushWords = text.notifications.push;

const isSupported =
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

async function read() {
  const { possible, key, ids } = await bodyOf(pushApi.index.$get());
  const own = possible && isSupported ? await ownSubscription() : null;
  const id = own === null ? undefined : await subscriptionId(own.endpoint);
  return { possible, key, id: id !== undefined && ids.includes(id) ? id : undefined };
}

/** @throws FormProblem */
async function subscribe(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new FormProblem(pushWords.denied);
  await navigator.serviceWorker.register(gatePath('/push.js'), { scope: gatePath('/') });
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with another key, or of a previous user, could not be used.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch(() => undefined);
  if (!(await register(made))) throw new FormProblem(pushWords.failed);
}

/** Switches pushes on and off for this browser. */
export function OwnPush() {
  const [state, reload] = useLoaded(read);
  const action = useAction();
  const [changes, setChanges] = useState(0);
  if (state.kind === 'loading' && changes === 0) return <Loading what={pushWords.what} />;
  if (state.kind === 'failed')
    return <LoadFailure what={pushWords.what} error={state.error} onRetry={reload} />;
  const { possible, key, id } = state.kind === 'loaded' ? state.value : { possible: true, key: '' };
  if (!possible) return null;
  const change = () =>
    action.run(async () => {
      if (id === undefined) await subscribe(key);
      else {
        await bodyOf(pushApi[':id'].$delete({ param: { id } }));
        await (await ownSubscription())?.unsubscribe();
      }
      setChanges(changes + 1);
      reload();
    });
  return (
    <TitledSection id="push" title={pushWords.title}>
      <p role="status">
        {!isSupported ? pushWords.unsupported : id === undefined ? pushWords.isOff : pushWords.isOn}
      </p>
      <FailureNotice error={action.failure} />
      {isSupported && (
        <button
          type="button"
          class="secondary outline"
          disabled={action.busy}
          aria-busy={action.busy}
          onClick={change}
        >
          {id === undefined ? pushWords.on : pushWords.off}
        </button>
      )}
    </TitledSection>
  );
}
