import { randomUUID } from 'node:crypto';
import { identityOfCreator } from '../../access/creator.ts';
import { systemTimers } from '../../clock.ts';
import { createRecorderWriter } from '../../accounts/users/recorder-writer.ts';
import type { PushSubscription, PushSubscriptions } from './subscriptions.ts';
import type { PushKeys } from './send-push.ts';
import { evaluate } from '../../policy/evaluate/evaluate.ts';
import { alertIn, type Review } from '../../policy/recorder/review.ts';
import type { Recorder } from '../../recorder/connect-recorder.ts';
import type { Core, Running } from '../feature.ts';

// Milliseconds.
const interval = 5_000;

/** While there are subscriptions, reads the recorder's reviews and sends each to those who may see it at that moment. */
export function startPushing(core: Core, pushSubscriptions: PushSubscriptions, running: Running): void {
  const { store, activity, isShared, storeVersion, logger, requestLog, clock, closing } = core.foundation;
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
    const { recorder } = running.runtime();
    const wanted =
      recorder !== undefined &&
      (await hasSubscriptions()) &&
      (lease === undefined || (await lease.mayWrite('push')));
    if (!wanted || open?.recorder !== recorder) close();
    if (!wanted || open !== undefined || isClosed) return;
    // Without subscriptions, the code that encrypts is not loaded.
    const { createPusher } = await import('./pusher.ts');
    const { createPushSender, pushText, readPushKeys } = await import('./send-push.ts');
    const { readMessages } = await import('../../recorder/recorder-messages.ts');
    if (isClosed || open !== undefined) return;
    let keys: PushKeys | undefined;
    const sendPush = createPushSender(clock);
    const pusher = createPusher<PushSubscription>({
      list: pushSubscriptions.list,
      find: pushSubscriptions.find,
      decide: (subscription, review) => decidePush(subscription, review, core, running),
      send: async (subscription, review) => {
        const { settings, sealing } = running.runtime();
        const { notifications, publicUrl } = running.configuration();
        keys ??= await readPushKeys(store, sealing);
        const subject = publicUrl?.startsWith('https:') === true ? publicUrl : 'mailto:postern@localhost';
        const mayBePrivate = notifications.pushServices.includes(new URL(subscription.endpoint).origin);
        const name = settings.friendlyNames().get(review.camera);
        const text = pushText(review, name, subscription.language);
        return sendPush(subscription, text, { keys, subject, mayBePrivate });
      },
      drop: pushSubscriptions.drop,
      logger: requestLog,
    });
    const messages = readMessages({
      recorder,
      timers: systemTimers,
      onMessage: (text) => {
        const review = alertIn(text);
        // The recorder sends old reviews again after a connection was lost: they are no news.
        if (review !== undefined && clock.now() / 1_000 - review.startTime < 600) pusher.push(review);
      },
      onLost: core.recorder.onRecorderFailure,
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
      // Recipients aren't known then.
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

/** Decides by the current user, session, role, cameras, schedule and stops. @throws while the roles cannot be read */
export async function decidePush(
  { username, sessionId, generation }: PushSubscription,
  { camera, startTime }: Review,
  { foundation: { clock }, accounts: { users }, sessions: { sessionRegistry } }: Core,
  running: Running,
): Promise<'send' | 'keep' | 'over'> {
  const user = await users.find(username);
  if (user === undefined || user.generation !== generation) return 'over';
  // A session that has expired stays so, but the clock may be wrong: pruning removes the subscription.
  if ((await sessionRegistry.find(sessionId)) === undefined) return 'keep';
  const { currentRoles } = running.runtime();
  if (!currentRoles.areCurrent()) await currentRoles.renew();
  const { settings } = running.runtime();
  const creator = { user: username, role: user.role, source: 'session', tokenId: undefined } as const;
  const identity = await identityOfCreator(creator, settings, { users, clock });
  if (identity === undefined) return 'keep';
  const begin = Math.floor(startTime);
  const decision = evaluate(
    {
      entryPoint: 'authenticated',
      method: 'GET',
      // The push leads to a recording of this camera at that time.
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
