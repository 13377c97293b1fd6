import { ApiFailure, fetchThroughGate, isRefused } from '../../api-client.ts';
import type { Playing } from './live-source.ts';
import { boundaryOf, partReader } from './multipart.ts';
import { pathTo } from '../../path-prefix.ts';
import { decoded, readPicture } from '../../ui/cameras/pictures.ts';

/** Lines of a picture, enough for a screen. */
const height = 720;

/** Shows the pictures of one long response as they arrive. */
export function playMjpeg({ camera, onPicture, onPlaying, onFailed, signal }: Playing): void {
  const show = async () => {
    const path = `/api/${encodeURIComponent(camera)}?fps=5&height=${height}`;
    const response = await fetchThroughGate(pathTo(path), { signal, cache: 'no-store' });
    const boundary = boundaryOf(response.headers.get('content-type'));
    if (!response.ok) throw new ApiFailure(response.status, response.statusText);
    if (response.body === null || boundary === undefined) return;
    const partsOf = partReader(boundary);
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // If several arrived together, only the newest is shown.
      const newest = partsOf(value).at(-1);
      if (newest === undefined) continue;
      const url = await decoded(new Blob([newest], { type: 'image/jpeg' }));
      if (signal.aborted) return URL.revokeObjectURL(url);
      onPicture({ url, at: Date.now() / 1000, isOffline: false, seenAt: undefined });
      onPlaying();
    }
  };
  void settle(show(), signal, onFailed);
}

/** Milliseconds between two single pictures. */
const pause = 1_000;

/** Requests one picture after the other. */
export function playPictures({ camera, onPicture, onPlaying, onFailed, signal }: Playing): void {
  const show = async () => {
    while (!signal.aborted) {
      onPicture(await readPicture(camera, height, signal));
      onPlaying();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  void settle(show(), signal, onFailed);
}

async function settle(
  playing: Promise<void>,
  signal: AbortSignal,
  onFailed: Playing['onFailed'],
): Promise<void> {
  const error = await playing.catch((reason: unknown) => reason);
  if (!signal.aborted) onFailed(isRefused(error));
}
