import { listTargets, testTarget, testTargets, readOwnEmail, setOwnEmail } from './endpoints.ts';

/** Alerts by webhook, ntfy and mail. Without `notifications.targets` there is no one to alert. */
export const guarded = [readOwnEmail, setOwnEmail, listTargets, testTargets, testTarget] as const;
