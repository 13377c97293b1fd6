/* Messages between a recorder's restreaming server (go2rtc) and a player on a WebSocket: the player lists the codecs it can
   play, the server answers with the type of its stream, followed by fragments of an MP4. */

/** What cameras send; servers choose from this list. */
const codecs = [
  'avc1.640029',
  'avc1.64002A',
  'avc1.640033',
  'hvc1.1.6.L153.B0',
  'mp4a.40.2',
  'mp4a.40.5',
  'flac',
  'opus',
];

/** @returns the first message: the playable codecs */
export function mseRequest(isSupported: (type: string) => boolean): string {
  const value = codecs.filter((codec) => isSupported(`video/mp4; codecs="${codec}"`)).join();
  return JSON.stringify({ type: 'mse', value });
}

export type ServerMessage =
  /** Type of the fragments that follow. */
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'answer'; readonly sdp: string }
  | { readonly kind: 'candidate'; readonly candidate: string }
  | { readonly kind: 'error' }
  /** A message that a player does not need. */
  | { readonly kind: 'other' };

/** By the type of a message. A map, since `Object.hasOwn` is newer than the screens on walls that play this too. */
const kinds = new Map<string, (value: string) => ServerMessage>([
  ['mse', (value) => ({ kind: 'type', type: value })],
  ['webrtc/answer', (value) => ({ kind: 'answer', sdp: value })],
  ['webrtc/candidate', (value) => ({ kind: 'candidate', candidate: value })],
  ['error', () => ({ kind: 'error' })],
]);

export function readMessage(text: string): ServerMessage {
  const message = parsed(text);
  if (typeof message !== 'object' || message === null) return { kind: 'other' };
  const { type, value } = message as Partial<Record<'type' | 'value', unknown>>;
  if (typeof type !== 'string' || typeof value !== 'string') return { kind: 'other' };
  return kinds.get(type)?.(value) ?? { kind: 'other' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Seconds. */
const mostBehind = 4;
const kept = 30;

export interface Correction {
  /** Where to continue: closer to live, or within the buffer. */
  readonly seekTo?: number;
  /** Earlier content is removed from the buffer. */
  readonly removeBefore?: number;
}

/** Keeps a player close to live, and its memory bounded. @param start of the buffer, in seconds, like `end` and `current` */
export function correctionAt(current: number, start: number, end: number): Correction {
  const seekTo = current < start ? start : end - current > mostBehind ? end - 0.5 : undefined;
  const from = seekTo ?? current;
  return {
    ...(seekTo === undefined ? {} : { seekTo }),
    ...(from - start > kept ? { removeBefore: from - kept / 2 } : {}),
  };
}
