import { boundedCache } from '../../bounded-cache.ts';
import type { Clock } from '../../clock.ts';
import type { Allowed } from '../../policy/decision.ts';
import type { StreamSession } from './stream.ts';

/** Single pictures that a client asks for again and again: as good as a stream to those who watch. */
export interface WatchedStills {
  /** Id of the decision about the first picture. */
  readonly id: string;
  readonly permitted: Allowed;
  readonly session: string | undefined;
  /** The client's address. */
  readonly address: string;
  readonly agent: string | undefined;
  /** The path below this site of the page that shows them, if its browser sends it. */
  readonly page: string | undefined;
  readonly cameras: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Where a picture goes; read only for the first one. */
export interface StillsClient {
  readonly address: string;
  readonly agent: string | undefined;
  readonly page: string | undefined;
}

/** Who watches single pictures in this process. Informative only: no decision depends on it. */
export interface Stills {
  /** @param id of the decision that permits a picture */
  note(id: string, permitted: Allowed, session: StreamSession | undefined, client: () => StillsClient): void;
  list(): readonly WatchedStills[];
  /** @returns the one that was taken out, because it was stopped */
  remove(id: string): WatchedStills | undefined;
}

interface Entry extends Omit<WatchedStills, 'cameras'> {
  /** When the last picture of each camera was asked for. */
  readonly at: Map<string, number>;
  last: number;
}

// Milliseconds. Pages ask every four seconds, and a slow network takes some more.
const over = 20_000;
/** A single picture is a link preview, or a page that looks once. */
const brief = 2_000;

const most = 2_000;
const mostCameras = 500;

export function createStills(clock: Clock): Stills {
  const entries = boundedCache<string, Entry>(most);
  const shown = ({ id, permitted, session, address, agent, page, since, at }: Entry): WatchedStills => ({
    id,
    permitted,
    session,
    address,
    agent,
    page,
    since,
    cameras: [...at].flatMap(([camera, asked]) => (clock.now() - asked < over ? [camera] : [])),
  });
  return {
    note: (id, permitted, session, client) => {
      const { identity, resource } = permitted;
      if (identity === undefined || resource?.kind !== 'cameras') return;
      const now = clock.now();
      const sessionId = session?.claims.sessionId;
      const { user, source, token } = identity;
      const own = sessionId ?? token?.id ?? client().address;
      // Only the user may have any character, and comes last. Every picture of every watcher comes here.
      const key = `${source}\n${own}\n${user}`;
      let entry = entries.get(key);
      if (entry === undefined || now - entry.last >= over || now < entry.last) {
        entry = { id, permitted, session: sessionId, ...client(), since: now, last: now, at: new Map() };
        entries.set(key, entry);
      }
      entry.last = now;
      for (const camera of resource.cameras)
        if (entry.at.size < mostCameras || entry.at.has(camera)) entry.at.set(camera, now);
    },
    list: () =>
      [...entries.values()]
        .filter(({ last, since }) => clock.now() - last < over && last - since >= brief)
        .map(shown),
    remove: (id) => {
      for (const [key, entry] of entries)
        if (entry.id === id) {
          entries.delete(key);
          return shown(entry);
        }
      return undefined;
    },
  };
}
