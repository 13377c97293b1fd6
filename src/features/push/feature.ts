import { mount } from '../../api/endpoint.ts';
import { readPush, sendPushWorker, switchPushOff, switchPushOn } from './endpoints.ts';
import type { Core, Feature } from '../feature.ts';
import { startPushing } from './pushing.ts';
import { createPushSubscriptions } from './subscriptions.ts';

export const open = [sendPushWorker] as const;
export const guarded = [readPush, switchPushOn, switchPushOff] as const;

/** Alerts of the recorder on phones and browsers. */
export function create(core: Core): Feature {
  const { store, clock, audit } = core.foundation;
  const { changeLimit } = core.accounts;
  const { sessionRegistry } = core.sessions;
  const pushSubscriptions = createPushSubscriptions(store, clock);
  return {
    compose: ({ configuration, settings, sealing, pages }) => ({
      open: mount(open, {}),
      guarded: mount(guarded, {
        pushSubscriptions,
        sessionRegistry,
        // The library that makes a key is loaded only when someone asks for the key.
        pushKey: async () => {
          const { readPushKeys } = await import('./send-push.ts');
          return (await readPushKeys(store, sealing)).publicKey;
        },
        pushServices: configuration.notifications.pushServices,
        hasRecorder: pages.hasRecorder,
        changeLimit,
        audit,
        settings,
      }),
      ofPeople: async () => ({
        pushes: new Set((await pushSubscriptions.list()).map(({ sessionId }) => sessionId)),
      }),
    }),
    prune: () => prune(core),
    start: (running) => startPushing(core, pushSubscriptions, running),
  };
}

/** Pushes end with their session. */
export const prune = ({ foundation: { store, clock }, sessions: { sessionRegistry } }: Core): Promise<void> =>
  createPushSubscriptions(store, clock).prune(async (id) => (await sessionRegistry.find(id)) !== undefined);
