import { useState } from 'preact/hooks';
import { bodyOf, pushApi, FormProblem } from '../../api-client.ts';
import { useAction } from '../../ui/forms/form-action.ts';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { ownSubscription, register, subscriptionId } from '../../ui/own-push.ts';
import { TitledSection } from '../../ui/section.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { text } from '../../text.ts';

const texts = text.notifications;

const words = texts.push;

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
  if ((await Notification.requestPermission()) !== 'granted') throw new FormProblem(words.denied);
  await navigator.serviceWorker.register(gatePath('/push.js'), { scope: gatePath('/') });
  const { pushManager } = await navigator.serviceWorker.ready;
  // Of another key, or of a user before: it could not be used.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch(() => undefined);
  if (!(await register(made))) throw new FormProblem(words.failed);
}

/** Switches pushes on and off for this browser. */
export function OwnPush() {
  const [state, reload] = useLoaded(read);
  const action = useAction();
  const [changes, setChanges] = useState(0);
  if (state.kind === 'loading' && changes === 0) return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
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
    <TitledSection id="push" title={words.title}>
      <p role="status">{!isSupported ? words.unsupported : id === undefined ? words.isOff : words.isOn}</p>
      <FailureNotice error={action.failure} />
      {isSupported && (
        <button
          type="button"
          class="secondary outline"
          disabled={action.busy}
          aria-busy={action.busy}
          onClick={change}
        >
          {id === undefined ? words.on : words.off}
        </button>
      )}
    </TitledSection>
  );
}
