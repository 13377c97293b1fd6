import { gatePath, isBehindFirstEdition } from './path-prefix.ts';

/** @returns the address at which a camera is watched; a front of the first edition would pass on one below `/live/` */
export function liveAddress(camera: string): string {
  const name = encodeURIComponent(camera);
  return isBehindFirstEdition ? `${gatePath('/')}?live=${name}` : gatePath(`/live/${name}`);
}
