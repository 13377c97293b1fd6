import type { Profile } from '../../api-client.ts';
import { nameText } from '../words.ts';
import { gatePath } from '../../path-prefix.ts';

type Cameras = Pick<Profile, 'allowed_cameras' | 'camera_names'>;

// The user's, from the profile: every page shows them by the same names and in the same order.
let names: Readonly<Record<string, string>> = {};
let ranks: ReadonlyMap<string, number> = new Map();

/** Takes the names and the order of cameras from a profile. */
export function keepCameras({ allowed_cameras: cameras, camera_names: named = {} }: Cameras): void {
  names = named;
  ranks = new Map(cameras.map((camera, rank) => [camera, rank]));
}

/** @returns what pages call a camera: the recorder's own name for it, or `front_door` as text */
export function cameraText(camera: string): string {
  return (Object.hasOwn(names, camera) ? names[camera] : undefined) ?? nameText(camera);
}

/** @returns the cameras in the order in which every page shows them; those not in the profile come last, by name */
export function inOrder(cameras: readonly string[]): string[] {
  const rankOf = (camera: string) => ranks.get(camera) ?? ranks.size;
  return cameras.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

/** From so many cameras on, their names stand upright and without pictures, and they can be searched. */
export const manyCameras = 10;

/** @returns the URL of a camera's page */
export function cameraAddress(camera: string): string {
  return gatePath(`/cameras/${encodeURIComponent(camera)}`);
}
