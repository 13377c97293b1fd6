import { listTargets, testTargets } from './endpoints.ts';
import { readOwnEmail, setOwnEmail } from './own-email.ts';

/** Alerts by webhook, ntfy and mail. Without `notifications.targets` there is no one to alert. */
export const open = [] as const;
export const guarded = [readOwnEmail, setOwnEmail, listTargets, testTargets] as const;
