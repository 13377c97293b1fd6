import type { Activity } from '../../store/store.ts';

/** A camera that the recorder has, or had. */
export interface SeenCamera {
  readonly camera: string;
  /** The version of the recorder's cameras in which it appeared. */
  readonly appeared: number;
  /** The last version that has it. */
  readonly seen: number;
}

/** Remembers which cameras the recorder has had, across restarts and for all gates. */
interface SeenCameras {
  /** @param cameras all that the recorder has now; none changes nothing */
  note(cameras: readonly string[]): Promise<void>;
  list(): Promise<readonly SeenCamera[]>;
  /** Forgets a camera that the recorder has no longer. @returns false if there is no such camera */
  forget(camera: string): Promise<boolean>;
}

/** No decision depends on it, so it is kept with the activity. */
export function createSeenCameras(activity: Activity): SeenCameras {
  const list = (on: Pick<Activity, 'selectFrom'> = activity) =>
    on.selectFrom('recorder_cameras').selectAll().orderBy('seen', 'desc').orderBy('camera').execute();
  return {
    note: async (cameras) => {
      const wanted = new Set(cameras);
      if (wanted.size === 0 || isSame(wanted, presentCameras(await list()))) return;
      await activity.transaction().execute(async (on) => {
        const present = presentCameras(await list(on));
        const version = (present[0]?.seen ?? 0) + 1;
        const kept = new Set(present.map(({ camera }) => camera));
        for (const camera of wanted) {
          const seen = kept.has(camera) ? { seen: version } : { seen: version, appeared: version };
          await on
            .insertInto('recorder_cameras')
            .values({ camera, appeared: version, seen: version })
            .onConflict((conflict) => conflict.column('camera').doUpdateSet(seen))
            .execute();
        }
      });
    },
    list: () => list(),
    forget: async (camera) => {
      const latest = presentCameras(await list())[0]?.seen ?? 0;
      const { numDeletedRows } = await activity
        .deleteFrom('recorder_cameras')
        .where('camera', '=', camera)
        .where('seen', '<', latest)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}

/** @returns the cameras of the latest version */
export function presentCameras(cameras: readonly SeenCamera[]): readonly SeenCamera[] {
  const latest = Math.max(...cameras.map(({ seen }) => seen));
  return cameras.filter(({ seen }) => seen === latest);
}

function isSame(wanted: ReadonlySet<string>, present: readonly SeenCamera[]): boolean {
  return wanted.size === present.length && present.every(({ camera }) => wanted.has(camera));
}
