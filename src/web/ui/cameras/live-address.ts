import { gatePath } from '../../path-prefix.ts';

/** @returns the URL of a camera's live page */
export function liveAddress(camera: string): string {
  return gatePath(`/live/${encodeURIComponent(camera)}`);
}
