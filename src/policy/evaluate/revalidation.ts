import type { Allowed, Decision } from '../decision.ts';
import type { Identity } from '../identity.ts';
import type { Reason } from '../reasons.ts';

/**
 * Whether an open stream may continue. The upstream got the identity and the target when it began: a client whose identity or
 * target has changed since has to start again.
 * @param now the current decision on the same request
 * @returns the reason to end it, or undefined
 */
export function refuseRevalidation(permitted: Allowed, now: Decision): Reason | undefined {
  if (now.outcome !== 'allow') return now.reason;
  if (!isSameIdentity(permitted.identity, now.identity)) return 'identity_changed';
  const isSameTarget = permitted.narrowed === now.narrowed;
  return isSameTarget && areRequestsRead(permitted) === areRequestsRead(now) ? undefined : 'grant_changed';
}

/** Whether it is the same user in the same role, by the same means. */
export function isSameIdentity(one: Identity | undefined, other: Identity | undefined): boolean {
  return (
    one?.user === other?.user &&
    one?.role === other?.role &&
    one?.source === other?.source &&
    one?.token?.id === other?.token?.id
  );
}

/**
 * Whether each message of a WebSocket is filtered: a role that is limited to cameras only gets those about its own, and only admins get the
 * commands of processes.
 */
export function areMessagesFiltered({
  rule,
  isGuarded,
  identity,
}: Pick<Allowed, 'rule' | 'isGuarded' | 'identity'>): boolean {
  return rule?.messages === true && (isGuarded === true || identity?.role !== 'admin');
}

/**
 * Whether each message of a client is read too, and only known ones reach the recorder. It refuses the others of viewers by itself, unless it
 * treats everyone as admin.
 */
export function areRequestsRead({ rule, isGuarded }: Pick<Allowed, 'rule' | 'isGuarded'>): boolean {
  return rule?.messages === true && isGuarded === true;
}

/** @returns when to decide again even if nothing else has changed, in milliseconds since the epoch */
export function endOf(
  { until, identity }: Allowed,
  session: { readonly expiresAt: number } | undefined,
): number {
  const never = Number.POSITIVE_INFINITY;
  return Math.min(until ?? never, session?.expiresAt ?? never, identity?.token?.expiresAt ?? never);
}
