import { LRUCache } from 'lru-cache';

/** Caches the cameras of events. */
export interface EventCameras {
  /** @param lookUp gets the unknown ids. @returns camera by id, of existing events */
  of(
    ids: readonly string[],
    lookUp: (ids: readonly string[]) => ReadonlyMap<string, string>,
  ): Map<string, string>;
  clear(): void;
}

interface Known {
  readonly camera: string;
  /** Milliseconds, monotonic. */
  readonly until: number;
}

/**
 * Milliseconds. A recorder never changes an event's camera, and never reuses an id. So only a deletion can make an entry
 * outdated: for this long, the id still stands for its previous camera, which gives no one access to another camera.
 */
const lifetime = 60_000;

// Some 30,000 events, several pages of thumbnails.
const mostBytes = 8 * 1024 * 1024;
// Measured with 100,000 events: 230 bytes with the id.
const entryBytes = 250;

/**
 * Remembers the camera of each event: clients that scroll through thumbnails ask about the same events again and again, and a
 * look-up takes as long as the rest of the decision. Unknown ids are not remembered: the event may come, and made-up ids must
 * not fill the memory.
 */
export function rememberEventCameras(
  elapsed: () => number = () => performance.now(),
  bytes = mostBytes,
): EventCameras {
  const remembered = new LRUCache<string, Known>({ maxSize: bytes });
  const recall = (id: string, at: number): string | undefined => {
    const known = remembered.get(id);
    return known !== undefined && at < known.until ? known.camera : undefined;
  };
  return {
    of: (ids, lookUp) => {
      const at = elapsed();
      const cameras = new Map<string, string>();
      const unknown: string[] = [];
      for (const id of ids) {
        const camera = recall(id, at);
        if (camera === undefined) unknown.push(id);
        else cameras.set(id, camera);
      }
      if (unknown.length === 0) return cameras;
      for (const [id, camera] of lookUp(unknown)) {
        cameras.set(id, camera);
        // One that was cut out of a URI would keep all of it in memory.
        const copy = Buffer.from(id).toString();
        remembered.set(copy, { camera, until: at + lifetime }, { size: copy.length + entryBytes });
      }
      return cameras;
    },
    clear: () => remembered.clear(),
  };
}
