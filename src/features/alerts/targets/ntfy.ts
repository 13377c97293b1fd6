import type { NtfyTarget } from '../../../config/resolve-notifications.ts';
import type { SentAlert } from '../message.ts';
import { post } from './post.ts';

/** Publishes an alert to a topic. All that anyone else wrote is in the body, never in a header. @throws DeliveryError */
export async function sendNtfy(
  { url, token, mayBePrivate }: NtfyTarget,
  { message: { title, text }, link }: SentAlert,
): Promise<void> {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    title,
    tags: 'lock',
    ...(link !== undefined && { click: link }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  await post({ url, headers, body: text }, mayBePrivate);
}
