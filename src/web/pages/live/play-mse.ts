import { socketOf, type Playing } from './live-player.ts';

type Managed = typeof globalThis & { readonly ManagedMediaSource?: typeof MediaSource };

/** `ManagedMediaSource` on phones that have nothing else, or `undefined` if there is neither. */
const Source = (): typeof MediaSource | undefined =>
  (globalThis as Managed).ManagedMediaSource ?? (globalThis as Partial<Managed>).MediaSource;

export function canPlayMse(): boolean {
  return Source() !== undefined;
}

/** Bytes that may wait for the decoder: more would no longer be live. */
const mostWaiting = 8 * 1024 * 1024;

/** Plays MP4 fragments from a WebSocket. */
export function playMse({ stream, video, onPlaying, onFailed, signal }: Playing): void {
  const Media = Source();
  if (Media === undefined) return onFailed();
  const media = new Media();
  const url = URL.createObjectURL(media);
  const socket = new WebSocket(socketOf('mse', stream));
  socket.binaryType = 'arraybuffer';
  const waiting: ArrayBuffer[] = [];
  let size = 0;
  let buffer: SourceBuffer | undefined;

  const end = () => {
    socket.close();
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  };
  const fail = () => {
    if (!signal.aborted) onFailed();
  };
  signal.addEventListener('abort', end, { once: true });

  const append = () => {
    if (buffer === undefined || buffer.updating || media.readyState !== 'open') return;
    const next = waiting.shift();
    if (next === undefined) return;
    size -= next.byteLength;
    try {
      buffer.appendBuffer(next);
    } catch {
      fail();
    }
  };
  const keepLive = () => {
    const { buffered } = video;
    const last = buffered.length - 1;
    if (buffer === undefined || buffer.updating || last < 0) return;
    const correction = correctionAt(video.currentTime, buffered.start(last), buffered.end(last));
    if (correction.seekTo !== undefined) video.currentTime = correction.seekTo;
    if (correction.removeBefore !== undefined) buffer.remove(0, correction.removeBefore);
  };
  const begin = (type: string) => {
    if (buffer !== undefined || !Media.isTypeSupported(type)) return fail();
    buffer = media.addSourceBuffer(type);
    buffer.mode = 'segments';
    buffer.addEventListener('updateend', () => {
      keepLive();
      append();
    });
  };

  // Both have to be open, in any order.
  const ask = () => {
    if (media.readyState !== 'open' || socket.readyState !== WebSocket.OPEN) return;
    socket.send(mseRequest((type) => Media.isTypeSupported(type)));
  };
  media.addEventListener('sourceopen', ask, { once: true, signal });
  socket.addEventListener('open', ask, { signal });
  socket.addEventListener('close', fail, { signal });
  socket.addEventListener(
    'message',
    ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') {
        const message = readMessage(data);
        if (message.kind === 'type') begin(message.type);
        if (message.kind === 'error') fail();
        return;
      }
      waiting.push(data);
      size += data.byteLength;
      if (size > mostWaiting) fail();
      else append();
    },
    { signal },
  );
  video.addEventListener('timeupdate', onPlaying, { signal });
  video.addEventListener('error', fail, { signal });
  video.disableRemotePlayback = true;
  video.src = url;
  // Muted video may autoplay; a phone that saves power may refuse even that.
  video.play().catch(fail);
}

/* Messages between a recorder's restreaming server (go2rtc) and a player on a WebSocket: the player lists the codecs it can
   play, the server answers with the type of its stream, followed by fragments of an MP4. */

/** Codecs that cameras send. Servers choose from this list. */
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

type ServerMessage =
  /** Type of the fragments that follow. */
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'answer'; readonly sdp: string }
  | { readonly kind: 'candidate'; readonly candidate: string }
  | { readonly kind: 'error' }
  /** A message that a player does not need. */
  | { readonly kind: 'other' };

/** Readers by the type of a message. A map, because `Object.hasOwn` is newer than some screens that play this too. */
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

interface Correction {
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
