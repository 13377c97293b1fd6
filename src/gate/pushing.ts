import { randomUUID } from 'node:crypto';
import { identityOfCreator } from '../access/shares/creator.ts';
import { systemTimers } from '../clock.ts';
import { createRecorderWriter } from '../identity/users/recorder-writer.ts';
import type { PushSubscription } from '../identity/users/push-subscriptions.ts';
import type { PushKeys } from '../notifications/push/push-keys.ts';
import { evaluate } from '../policy/evaluate/evaluate.ts';
import { alertIn, type Review } from '../policy/recorder/review.ts';
import type { Recorder } from '../recorder/connect-recorder.ts';
import type { Current } from './current.ts';
import type { Runtime } from './runtime.ts';
import type { Services } from './services.ts';

// Milliseconds.
const interval = 5_000;

/** While there are subscriptions, reads the recorder's reviews and sends each to those who may see it at that moment. */
export function startPushing(
  services: Services,
  current: Current<Runtime>,
  closing: AsyncDisposableStack,
): void {
  const { activity, isShared, pushSubscriptions, storeVersion, logger, clock } = services;
  // Only the gate with the lease reads.
  const lease = isShared ? createRecorderWriter(activity, randomUUID()) : undefined;
  let open: { readonly recorder: Recorder; readonly close: () => void } | undefined;
  let known = { version: Number.NaN, has: false };
  let isClosed = false;

  const hasSubscriptions = async () => {
    const version = storeVersion();
    if (version !== known.version) known = { version, has: (await pushSubscriptions.list()).length > 0 };
    return known.has;
  };
  const close = () => {
    open?.close();
    open = undefined;
  };
  const look = async () => {
    const { recorder } = current.runtime();
    const wanted =
      recorder !== undefined &&
      (await hasSubscriptions()) &&
      (lease === undefined || (await lease.mayWrite('push')));
    if (!wanted || open?.recorder !== recorder) close();
    if (!wanted || open !== undefined || isClosed) return;
    // Without subscriptions, the code that encrypts is not loaded.
    const { createPusher } = await import('../notifications/push/pusher.ts');
    const { sendPush } = await import('../notifications/push/send-push.ts');
    const { pushText } = await import('../notifications/push/review-text.ts');
    const { readMessages } = await import('../recorder/recorder-messages.ts');
    if (isClosed || open !== undefined) return;
    let keys: PushKeys | undefined;
    const pusher = createPusher<PushSubscription>({
      list: pushSubscriptions.list,
      find: pushSubscriptions.find,
      decide: (subscription, review) => decide(subscription, review, services, current),
      send: async (subscription, review) => {
        const { settings, pushKeys } = current.runtime();
        const { notifications, publicUrl } = current.configuration();
        keys ??= await pushKeys();
        const subject = publicUrl?.startsWith('https:') === true ? publicUrl : 'mailto:postern@localhost';
        const mayBePrivate = notifications.pushServices.includes(new URL(subscription.endpoint).origin);
        const name = settings.friendlyNames().get(review.camera);
        const text = pushText(review, name, subscription.language);
        return sendPush(subscription, text, { keys, subject, mayBePrivate });
      },
      drop: pushSubscriptions.drop,
      logger: services.requestLog,
    });
    const messages = readMessages({
      recorder,
      timers: systemTimers,
      onMessage: (text) => {
        const review = alertIn(text);
        // One that began long ago is no news; the recorder sends it again after a connection was lost.
        if (review !== undefined && clock.now() / 1_000 - review.startTime < 600) pusher.push(review);
      },
      onLost: services.onRecorderFailure,
    });
    open = {
      recorder,
      close: () => {
        messages.close();
        pusher.close();
      },
    };
  };

  let looking: Promise<void> = Promise.resolve();
  const watching = setInterval(() => {
    looking = looking.then(look).catch((error: unknown) => {
      // Who may have it is not known then.
      close();
      logger.warn({ err: error }, 'whether anyone gets pushes was not read');
    });
  }, interval).unref();
  closing.defer(async () => {
    isClosed = true;
    clearInterval(watching);
    close();
    await looking;
    await lease?.release().catch(() => undefined);
  });
}

/** By what holds now: the user, the session, the role and its cameras, the schedule, what an admin has stopped. */
async function decide(
  { username, sessionId, generation }: PushSubscription,
  { camera, startTime }: Review,
  services: Services,
  current: Current<Runtime>,
): Promise<'send' | 'keep' | 'over'> {
  const user = await services.users.find(username);
  if (user === undefined || user.generation !== generation) return 'over';
  // A session that has expired stays so, but the clock may be wrong: pruning removes the subscription.
  if ((await services.sessionRegistry.find(sessionId)) === undefined) return 'keep';
  const { currentRoles } = current.runtime();
  if (currentRoles?.areCurrent() === false) await currentRoles.renew();
  const { settings } = current.runtime();
  const creator = { user: username, role: user.role, source: 'session', tokenId: undefined } as const;
  const identity = await identityOfCreator(creator, settings, services);
  if (identity === undefined) return 'keep';
  const begin = Math.floor(startTime);
  const decision = evaluate(
    {
      entryPoint: 'authenticated',
      method: 'GET',
      // What the push leads to: a recording of this camera at that time.
      uri: `/vod/${encodeURIComponent(camera)}/start/${begin}/end/${begin + 1}/index.m3u8`,
      headers: [],
      host: undefined,
      secure: true,
    },
    { identity, session: { claims: { sessionId } } },
    settings.rules,
  );
  return decision.outcome === 'allow' && decision.resource?.kind === 'cameras' ? 'send' : 'keep';
}
