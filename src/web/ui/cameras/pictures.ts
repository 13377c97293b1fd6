import { ApiFailure, fetchThroughGate } from '../../api-client.ts';
import { pathTo } from '../../path-prefix.ts';

/** The newest picture of a camera. */
export interface Picture {
  readonly url: string;
  /** When it came, in seconds since the epoch. */
  readonly at: number;
  /** The recorder says that the camera does not answer: the picture is an old one. */
  readonly isOffline: boolean;
}

// Milliseconds: who waits longer takes a place from the others.
const timeoutMs = 15_000;

/**
 * Asks the recorder for the newest picture of a camera.
 * @param height in pixels, the least that is enough
 * @returns decoded, so that it can take the place of the former at once. Its `url` stays until another is kept
 * @throws ApiFailure, also of what is no picture
 */
export async function readPicture(camera: string, height: number, signal: AbortSignal): Promise<Picture> {
  const path = `/api/${encodeURIComponent(camera)}/latest.jpg?height=${stepOf(height)}`;
  const response = await fetchThroughGate(pathTo(path), {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    cache: 'no-store',
  });
  if (!response.ok) throw new ApiFailure(response.status, response.statusText);
  const isOffline = response.headers.get('x-frigate-offline') === 'true';
  return { url: await decoded(await response.blob()), at: Date.now() / 1000, isOffline };
}

/** @returns an address that an `img` shows without a moment of nothing. @throws ApiFailure when it is no picture */
export async function decoded(blob: Blob): Promise<string> {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(url);
    throw new ApiFailure(0, blob.type);
  }
  return url;
}

/** Pictures in steps of so many lines: each height is made by the recorder anew. */
const step = 90;

/** @param height in pixels @returns the step above, of 1080 at most */
function stepOf(height: number): number {
  return Math.min(1080, Math.max(step, Math.ceil(height / step) * step));
}

const last = new Map<string, Picture>();

/** @returns the newest picture that any page has shown */
export function lastPicture(camera: string): Picture | undefined {
  return last.get(camera);
}

/** Whoever may not see the camera any more is not shown what there was. */
export function forgetPicture(camera: string): void {
  const former = last.get(camera);
  last.delete(camera);
  if (former !== undefined) URL.revokeObjectURL(former.url);
}

/** Keeps a picture in place of the former, whose address ends. */
export function keepPicture(camera: string, picture: Picture): void {
  const former = last.get(camera);
  last.set(camera, picture);
  // The page may show it until its next frame.
  if (former !== undefined) setTimeout(() => URL.revokeObjectURL(former.url), 1_000);
}
