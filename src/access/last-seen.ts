import type { Clock } from '../clock.ts';
import type { RequestContext } from '../policy/request-context.ts';
import { headerValues } from '../policy/raw-headers.ts';
import type { SessionRegistry } from '../accounts/sessions/last-seen.ts';
import type { SessionClaims, Session } from '../accounts/sessions/session-token.ts';

type Seen = Pick<RequestContext, 'peer' | 'headers' | 'address'>;

/** Records when, from where and by which client sessions were last seen. Informative only: no decision depends on it. */
export interface LastSeen {
  /** For a request of a session: recorded if the last note is old enough. */
  note(session: Session, request: Seen): void;
  /** For a token that was issued to a session. */
  noteIssued(claims: SessionClaims, request: Seen): void;
}

// Milliseconds between two notes of a session.
const interval = 60_000;

/** @param addressOf the address of the client that a request is about */
export function createLastSeen(
  registry: Pick<SessionRegistry, 'note' | 'isFull'>,
  addressOf: (request: Seen) => string,
  clock: Clock,
): LastSeen {
  const noteAt = (claims: SessionClaims, request: Seen, at: number) => {
    const [agent] = headerValues(request.headers, 'user-agent');
    registry.note(claims, { at, address: addressOf(request), agent });
  };
  return {
    note: (session, request) => {
      const at = clock.now();
      const elapsed = at - session.lastSeenAt;
      if (elapsed >= 0 && elapsed < interval) return;
      // Its note would be dropped, and reading the token for it takes time; a later request of the session is noted.
      if (registry.isFull()) return;
      session.lastSeenAt = at;
      noteAt(session.claims, request, at);
    },
    noteIssued: (claims, request) => noteAt(claims, request, clock.now()),
  };
}
