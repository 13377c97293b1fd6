import type { Activity } from '../store/store.ts';
import { openKeptActivity, type Keeping } from './open-kept.ts';

/** Works on the activity database, beside a running server or without one. @throws what the work throws */
export async function onActivity<T>(keeping: Keeping, work: (activity: Activity) => Promise<T>): Promise<T> {
  const activity = await openKeptActivity(keeping);
  try {
    return await work(activity);
  } finally {
    await activity.destroy();
  }
}
