import type { Activity } from '../store/store.ts';
import { activityPath, openActivity } from '../store/sqlite/open-store.ts';

/** Milliseconds to wait for the server, whose writes take some. */
export const lockTimeout = 5_000;

/** Works on the activity database, beside a running server or without one. @throws what the work throws */
export async function onActivity<T>(directory: string, work: (activity: Activity) => Promise<T>): Promise<T> {
  const activity = await openActivity(activityPath(directory), lockTimeout);
  try {
    return await work(activity);
  } finally {
    await activity.destroy();
  }
}
