import type { Allowed, Decision } from '../decision.ts';
import type { Identity } from '../identity.ts';
import type { Reason } from '../reasons.ts';

/**
 * Whether what was permitted, and has not ended yet, may go on. What stands behind the gate was told who asks, and for what, when it
 * began: whoever is another by now, or would be shown something else, begins anew.
 * @param now the decision on the same request at this moment
 * @returns why it may not; undefined: it may
 */
export function refuseRevalidation(permitted: Allowed, now: Decision): Reason | undefined {
  if (now.outcome !== 'allow') return now.reason;
  if (!isSameIdentity(permitted.identity, now.identity)) return 'identity_changed';
  const isSameTarget = permitted.narrowed === now.narrowed;
  return isSameTarget && areMessagesFiltered(permitted) === areMessagesFiltered(now)
    ? undefined
    : 'grant_changed';
}

/** Whether the same person, in the same role, asks by the same means. */
export function isSameIdentity(one: Identity | undefined, other: Identity | undefined): boolean {
  return (
    one?.user === other?.user &&
    one?.role === other?.role &&
    one?.source === other?.source &&
    one?.token?.id === other?.token?.id
  );
}

/** Whether each message of a WebSocket is looked at: a role that is limited to cameras gets what is about these. */
export function areMessagesFiltered({ rule, isGuarded }: Allowed): boolean {
  return rule?.messages === true && isGuarded === true;
}

/** @returns when a decision has to be made again though nothing has changed, in milliseconds since the epoch */
export function endOf(
  { until, identity }: Allowed,
  session: { readonly expiresAt: number } | undefined,
): number {
  const never = Number.POSITIVE_INFINITY;
  return Math.min(until ?? never, session?.expiresAt ?? never, identity?.token?.expiresAt ?? never);
}
