import { notifications as texts } from '#language/notifications';
import { useState } from 'preact/hooks';
import { bodyOf, pushApi } from '../../api-client.ts';
import { useAction } from '../../ui/forms/use-action.ts';
import { FormProblem } from '../../ui/forms/form-field.ts';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { TitledSection } from '../../ui/titled-section.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';

const words = texts.push;

const isSupported =
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Waits for nothing: a browser that never registered has none. */
async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(gatePath('/'));
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function read() {
  const { possible, key, ids } = await bodyOf(pushApi.index.$get());
  const own = possible && isSupported ? await ownSubscription() : null;
  const id = own === null ? undefined : await idOf(own.endpoint);
  return { possible, key, id: id !== undefined && ids.includes(id) ? id : undefined };
}

/** The id of a subscription at the gate. */
async function idOf(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
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
  const { endpoint, keys } = made?.toJSON() ?? {};
  if (endpoint === undefined || keys?.['p256dh'] === undefined || keys['auth'] === undefined)
    throw new FormProblem(words.failed);
  await bodyOf(
    pushApi.index.$post({ json: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } } }),
  );
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
