import { wholeSeconds, type Clock } from '../../clock.ts';
import type { DefinedRoles } from '../../policy/role-access.ts';
import type { Reading } from '../../store/permit.ts';
import type { Activity } from '../../store/store.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { isHeld, readHolders, type CameraHolders } from './camera-holders.ts';
import { lostNames, type LostName } from './lost-names.ts';
import { createSeenCameras, presentCameras } from './seen-cameras.ts';

/** A camera that something here names, and that the recorder had and has no longer. */
export interface LostCamera extends LostName {
  readonly holders: CameraHolders;
}

/** Cameras that the recorder renamed or dropped while something here names them. */
export interface LostCameras {
  /** Remembers the cameras of a configuration that was just read, and logs those that are gone. Errors are logged. */
  note(cameras: readonly string[]): Promise<void>;
  list(): Promise<readonly LostCamera[]>;
  /** @returns the cameras that the recorder had when it last answered, the newest first */
  present(): Promise<readonly string[]>;
  /** It is no longer listed, because everything has its new name, or it is gone for good. @returns false if it is not known to be gone */
  forget(camera: string): Promise<boolean>;
  /** Waits for the last `note`. */
  settled(): Promise<void>;
}

interface LostCamerasOptions {
  readonly store: Reading;
  readonly activity: Activity;
  /** Roles and groups as they are at the moment of the call. */
  readonly defined: () => DefinedRoles;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createLostCameras(options: LostCamerasOptions): LostCameras {
  const { store, activity, defined, clock, logger } = options;
  const seen = createSeenCameras(activity);
  const logged = new Set<string>();
  const list = async (): Promise<readonly LostCamera[]> => {
    const lost = lostNames(await seen.list());
    if (lost.length === 0) return [];
    const holdersOf = await readHolders(store, defined(), wholeSeconds(clock.now()));
    return lost
      .map(({ camera, likely }) => ({ camera, likely, holders: holdersOf(camera) }))
      .filter(({ holders }) => isHeld(holders));
  };
  const logLost = async () => {
    const lost = await list();
    for (const camera of logged) if (!lost.some((found) => found.camera === camera)) logged.delete(camera);
    for (const { camera, likely, holders } of lost) {
      if (logged.has(camera)) continue;
      logged.add(camera);
      const to = likely ?? 'NEW_NAME';
      logger.warn(
        { event: 'camera_lost', camera, ...(likely !== undefined && { likely }), ...holdersInLog(holders) },
        `Frigate no longer has the camera ${camera}, which people and devices here may see; if it has a new name, run postern cameras rename ${camera} ${to}, or move it on Home`,
      );
    }
  };
  let last: Promise<void> = Promise.resolve();
  return {
    note: (cameras) =>
      (last = last
        .then(() => seen.note(cameras))
        .then(logLost)
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'could not compare the cameras of Frigate with the ones before'),
        )),
    list,
    present: async () =>
      presentCameras(await seen.list())
        .toSorted((one, other) => other.appeared - one.appeared)
        .map(({ camera }) => camera),
    forget: seen.forget,
    settled: () => last,
  };
}

/** Only what there is, without names that users typed. */
function holdersInLog({
  roles,
  groups,
  people,
  ...others
}: CameraHolders): Readonly<Record<string, unknown>> {
  const counts = Object.entries(others).map(
    ([name, found]) => [name, typeof found === 'number' ? found : found.length] as const,
  );
  return {
    ...Object.fromEntries(Object.entries({ roles, groups, people }).filter(([, names]) => names.length > 0)),
    ...Object.fromEntries(counts.filter(([, count]) => count > 0)),
  };
}
