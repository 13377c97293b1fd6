import { pathTo } from '../path-prefix.ts';
import { limited } from './ask.ts';

/** A picture that has arrived and can be shown at once. Its `url` has to be revoked. */
export interface Shot {
  readonly url: string;
  /** The recorder returned an old one: the camera does not answer. */
  readonly isOffline: boolean;
}

/** The recorder renders each height separately. */
const step = 90;

/**
 * @param height in pixels, at least
 * @throws when there is no picture, and when the signal aborts
 */
export async function readShot(camera: string, height: number, signal: AbortSignal): Promise<Shot> {
  const lines = Math.min(1080, Math.max(step, Math.ceil(height / step) * step));
  const limit = limited(signal);
  try {
    const path = `/api/${encodeURIComponent(camera)}/latest.jpg?height=${lines}`;
    const response = await fetch(pathTo(path), {
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'manual',
      signal: limit.signal,
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const isOffline = response.headers.get('x-frigate-offline') === 'true';
    return { url: await decoded(await response.blob()), isOffline };
  } finally {
    limit.end();
  }
}

/** An `img` shows what was decoded without flickering. */
async function decoded(blob: Blob): Promise<string> {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return url;
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
}
