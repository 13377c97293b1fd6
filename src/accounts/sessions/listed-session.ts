import { wholeSeconds } from '../../clock.ts';
import type { SeenSession } from './last-seen.ts';

/** A session in a list, as the API and the command show it. Times are seconds since the epoch. */
export interface ListedSession {
  readonly id: string;
  readonly username: string;
  readonly began_at: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
  readonly address: string | null;
  readonly agent: string | null;
}

export function listedSession(session: SeenSession): ListedSession {
  const { id, username, beganAt, lastSeenAt, expiresAt, address, agent } = session;
  return {
    id,
    username,
    began_at: wholeSeconds(beganAt),
    last_seen_at: wholeSeconds(lastSeenAt),
    expires_at: wholeSeconds(expiresAt),
    address,
    agent,
  };
}
