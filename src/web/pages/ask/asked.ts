import type { OwnAccessRequest } from '../../api-client.ts';

/** A user's request for a camera. */
export type Asking =
  | { readonly kind: 'free' }
  /** The user already sees the camera. */
  | { readonly kind: 'yours' }
  /** `mayAgain`: the request is a day old, and has no answer. */
  | { readonly kind: 'asked'; readonly at: number; readonly mayAgain: boolean };

/** @param now seconds since the epoch */
export function askingFor(
  camera: string,
  allowed: readonly string[],
  own: readonly OwnAccessRequest[],
  now: number,
): Asking {
  if (allowed.includes(camera)) return { kind: 'yours' };
  const found = own.find((request) => request.camera === camera);
  if (found === undefined) return { kind: 'free' };
  return { kind: 'asked', at: found.asked_at, mayAgain: found.again_at <= now };
}
