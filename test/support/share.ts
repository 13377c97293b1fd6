import { createShares } from '../../src/features/shares/shares.ts';
import { unconditional } from '../../src/store/permit.ts';
import type { Store } from '../../src/store/store.ts';
import { systemClock } from '../../src/clock.ts';
import type { Visitor } from './log-in.ts';
import type { RawAnswer } from './raw-http.ts';

/** The API's answer to a new share. */
export interface MadeShare {
  readonly id: string;
  readonly url: string;
}

/** Makes a share. @throws with the answer, when it is none */
export async function shareOf(creator: Visitor, wanted: object): Promise<MadeShare> {
  const answer = await creator.send('POST', '/postern/api/shares', wanted);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
  return JSON.parse(answer.body) as MadeShare;
}

/** Makes one of a camera for an hour, as a user with a session does. */
export async function addShare(store: Store, user: string): Promise<void> {
  const creator = { user, role: 'viewer', source: 'session', tokenId: undefined } as const;
  const now = systemClock.now();
  const thing = {
    kind: 'camera',
    object: undefined,
    camera: 'front',
    from: now,
    until: now + 3_600_000,
  } as const;
  const more = { passwordHash: undefined, label: undefined, creator, expiresAt: now + 3_600_000 };
  await createShares(store, systemClock).add({ ...thing, ...more }, 100, unconditional);
}

export const secretOf = ({ url }: Pick<MadeShare, 'url'>): string => url.slice(url.indexOf('#') + 1);
const pathOf = ({ url }: Pick<MadeShare, 'url'>): string => new URL(url).pathname;

/** Opens a share as its page does. @returns the answer, and the cookie that it sets */
export async function openShare(
  by: Visitor,
  share: Pick<MadeShare, 'url'>,
  password?: string,
): Promise<{ readonly answer: RawAnswer; readonly cookie: string | undefined }> {
  const id = pathOf(share).split('/').at(-1) ?? '';
  const answer = await by.send('POST', `/postern/api/shares/${id}/open`, {
    secret: secretOf(share),
    ...(password === undefined ? {} : { password }),
  });
  const cookie = /^postern_share=([^;]+)/.exec(answer.headers.get('set-cookie')?.[0] ?? '')?.[1];
  return { answer, cookie };
}
