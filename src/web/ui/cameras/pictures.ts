import { ApiFailure, fetchThroughGate } from '../../api-client.ts';
import { pathTo } from '../../path-prefix.ts';

/** The newest picture of a camera. */
export interface Picture {
  readonly url: string;
  /** When it arrived, in seconds since the epoch. */
  readonly at: number;
  /** The recorder reports that the camera does not answer: the picture is old. */
  readonly isOffline: boolean;
  /** Seconds since the epoch of the last picture that this page had of the working camera. Absent when it had none. */
  readonly seenAt: number | undefined;
}

// A longer wait would take a connection from the others.
const timeoutMs = 15_000;

/**
 * Requests the newest picture of a camera from the recorder.
 * @param height the least height in pixels
 * @returns the decoded picture, which can replace the previous one at once. Its `url` is valid until another is kept
 * @throws ApiFailure, also when the response is no picture
 */
export async function readPicture(camera: string, height: number, signal: AbortSignal): Promise<Picture> {
  const path = `/api/${encodeURIComponent(camera)}/latest.jpg?height=${stepOf(height)}`;
  const response = await fetchThroughGate(pathTo(path), {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    cache: 'no-store',
  });
  if (!response.ok) throw new ApiFailure(response.status, response.statusText);
  const isOffline = response.headers.get('x-frigate-offline') === 'true';
  const url = await decoded(await response.blob());
  const at = Date.now() / 1000;
  return { url, at, isOffline, seenAt: isOffline ? undefined : at };
}

/** @returns a URL that an `img` shows without flickering. @throws ApiFailure when the data are no picture */
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

/** Lines between two heights: the recorder renders each height separately. */
const step = 90;

/** @param height in pixels. @returns the next step, at most 1080 */
function stepOf(height: number): number {
  return Math.min(1080, Math.max(step, Math.ceil(height / step) * step));
}

const last = new Map<string, Picture>();

/** @returns the newest picture that any page has shown */
export function lastPicture(camera: string): Picture | undefined {
  return last.get(camera);
}

/** A user who may no longer see the camera must not see its last picture. */
export function forgetPicture(camera: string): void {
  const former = last.get(camera);
  last.delete(camera);
  if (former !== undefined) URL.revokeObjectURL(former.url);
}

/** Replaces the kept picture, whose URL is then revoked. @returns the picture, with when the camera was last seen at work */
export function keepPicture(camera: string, picture: Picture): Picture {
  const former = last.get(camera);
  const kept = { ...picture, seenAt: picture.seenAt ?? former?.seenAt };
  last.set(camera, kept);
  // The page may still show it until its next frame.
  if (former !== undefined) setTimeout(() => URL.revokeObjectURL(former.url), 1_000);
  return kept;
}
