import { slipsBetween } from '../../config/wrong-value.ts';
import { presentCameras, type SeenCamera } from './seen-cameras.ts';

/** A camera that the recorder had, and has no longer. */
export interface LostName {
  readonly camera: string;
  /** The name that it probably has now. */
  readonly likely: string | undefined;
}

/**
 * Finds cameras that the recorder renamed or dropped. A new name is likely when the camera appeared since, and it is the only one for the only
 * one that is gone, or the two names are alike and neither is more like another one.
 */
export function lostNames(seen: readonly SeenCamera[]): readonly LostName[] {
  const present = presentCameras(seen);
  const lost = seen.filter((camera) => !present.includes(camera));
  const newSince = (camera: SeenCamera) => present.filter(({ appeared }) => appeared > camera.seen);
  return lost.map((gone) => {
    const candidates = newSince(gone);
    const [only] = candidates;
    const rivals = lost.filter(({ seen: last }) => last === gone.seen);
    if (only !== undefined && candidates.length === 1 && rivals.length === 1)
      return { camera: gone.camera, likely: only.camera };
    const likely = nearest(gone, candidates);
    const isMutual = likely !== undefined && nearest(likely, rivals) === gone;
    return { camera: gone.camera, likely: isMutual ? likely.camera : undefined };
  });
}

/** @returns the camera whose name is most alike; undefined when two are, or none is */
function nearest({ camera }: SeenCamera, others: readonly SeenCamera[]): SeenCamera | undefined {
  const near = others
    .map((other) => ({ other, distance: distanceBetween(camera.toLowerCase(), other.camera.toLowerCase()) }))
    .filter(({ distance }) => distance !== undefined)
    .toSorted((one, other) => (one.distance ?? 0) - (other.distance ?? 0));
  return near[0]?.distance === near[1]?.distance ? undefined : near[0]?.other;
}

/** @returns undefined for names that are not alike: more than half of the letters differ, and none contains the other */
function distanceBetween(one: string, other: string): number | undefined {
  const longer = Math.max(one.length, other.length);
  const most = one.includes(other) || other.includes(one) ? longer : longer / 2;
  return slipsBetween(one, other, most);
}
