import { socketOf, type Playing } from './live-source.ts';
import { correctionAt, mseRequest, readMessage } from './mse-protocol.ts';

type Managed = typeof globalThis & { readonly ManagedMediaSource?: typeof MediaSource };

/** `ManagedMediaSource` on phones that have nothing else; undefined where there is neither. */
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
