import { gatePath } from '../../path-prefix.ts';

/** @returns the address at which a camera is watched */
export function liveAddress(camera: string): string {
  return gatePath(`/live/${encodeURIComponent(camera)}`);
}
