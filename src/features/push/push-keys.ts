import webPush from 'web-push';
import { unconditional } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';

/** The keys by which push services recognize the gate (VAPID, RFC 8292), base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface Sealed {
  seal(purpose: string, text: string, about: string): Promise<string>;
  open(purpose: string, sealed: string, about: string): Promise<string | undefined>;
}

const purpose = 'push key';

/** @returns the keys of this gate, made at the first use; another key would end every subscription */
export async function readPushKeys(store: Store, sealing: Sealed): Promise<PushKeys> {
  const find = () => store.selectFrom('push_keys').selectAll().executeTakeFirst();
  let row = await find();
  if (row === undefined) {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const made = { public_key: publicKey, private_key: await sealing.seal(purpose, privateKey, publicKey) };
    row = await store.change(unconditional, async (on) => {
      // Another process may have been faster.
      const found = await on.selectFrom('push_keys').selectAll().executeTakeFirst();
      if (found !== undefined) return found;
      await on.insertInto('push_keys').values(made).execute();
      return made;
    });
  }
  const privateKey = await sealing.open(purpose, row.private_key, row.public_key);
  if (privateKey !== undefined) return { publicKey: row.public_key, privateKey };
  // Sealed with another key: no one can send with it anymore.
  await store.change(unconditional, async (on) => {
    await on.deleteFrom('push_keys').execute();
    await on.deleteFrom('push_subscriptions').execute();
  });
  return readPushKeys(store, sealing);
}
