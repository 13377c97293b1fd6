import { LRUCache } from 'lru-cache';

/** Cameras of events that were found, for a while. */
export interface EventCameras {
  /** @param lookUp is asked about the ids that are not known. @returns camera by id, of the events that there are */
  of(
    ids: readonly string[],
    lookUp: (ids: readonly string[]) => ReadonlyMap<string, string>,
  ): Map<string, string>;
  clear(): void;
}

interface Known {
  readonly camera: string;
  /** Milliseconds that never go back. */
  readonly until: number;
}

/**
 * Milliseconds. A recorder never gives an event another camera, since the camera is where it was seen, and never gives an
 * id twice. So all that time can change is that an event is deleted: for that long its id still stands for the camera
 * that it had, which opens nothing to anybody who was not granted that camera. Then it is looked up again, and closed.
 */
const lifetime = 60_000;

// Some 30,000 events: what a page of thumbnails shows many times over.
const mostBytes = 8 * 1024 * 1024;
// Measured with 100,000 events: 230 with its id.
const entryBytes = 250;

/**
 * Remembers which camera an event is of: whoever may see some cameras only and scrolls through thumbnails asks about the
 * same ones again and again, and a look-up takes as long as the rest of the decision. An id that there is not is never
 * remembered: the event may come, and nobody fills the memory with what he makes up.
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
