import { systemClock } from '../../clock.ts';
import type { LoadedConfiguration } from '../../config/load.ts';
import { activityPath, openActivity, openStore, storePath } from '../../store/sqlite/open-store.ts';
import type { Activity, Store } from '../../store/store.ts';

/** Where a gate keeps its data. */
export interface Keeping {
  /** Configuration directory. */
  readonly directory: string;
  /** Undefined: in files of the directory. */
  readonly storeUrl: string | undefined;
}

export function keepingOf({ configuration, directory }: LoadedConfiguration): Keeping {
  return { directory, storeUrl: configuration.store.url };
}

/** Milliseconds to wait for a write of the server. */
const lockTimeout = 5_000;

/** Opens the accounts' database, with or without running gates. @throws DatabaseError, DirectoryBusyError, StoreError */
export async function openKeptStore({ directory, storeUrl }: Keeping): Promise<Store> {
  if (storeUrl === undefined) return openStore(storePath(directory), lockTimeout);
  const { openSharedStore } = await import('../../store/postgres/open-store.ts');
  const ignored = () => undefined;
  const { store } = await openSharedStore(storeUrl, {
    clock: systemClock,
    onTrouble: ignored,
    onRecovery: ignored,
  });
  return store;
}

/** Opens the activity database, likewise. @throws likewise */
export async function openKeptActivity({ directory, storeUrl }: Keeping): Promise<Activity> {
  if (storeUrl === undefined) return openActivity(activityPath(directory), lockTimeout);
  const { openSharedActivity } = await import('../../store/postgres/open-store.ts');
  return openSharedActivity(storeUrl);
}

/** Works on the activity database. @throws what the work throws */
export async function onActivity<T>(keeping: Keeping, work: (activity: Activity) => Promise<T>): Promise<T> {
  const activity = await openKeptActivity(keeping);
  try {
    return await work(activity);
  } finally {
    await activity.destroy();
  }
}
