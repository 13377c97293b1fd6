import { boundedCache } from '../bounded-cache.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { OpenStream } from './streams/stream.ts';

// Moves of one camera by one user count together, over any number of WebSockets.
const mostPerSecond = 10;

// Milliseconds.
const second = 1_000;
const recordInterval = 60_000;

/** Users times cameras: far more than move at once. */
const mostKept = 10_000;

interface Moves {
  /** When the last ones were permitted, within a second. */
  times: readonly number[];
  recordedAt: number;
}

/** Counts the commands by which cameras are moved in this process. */
export interface CameraMoves {
  /**
   * Records the first one of a user in a minute.
   * @param isKnown whether there is such a camera: all others count as one, so that made-up names fill neither memory nor records
   * @returns whether it may pass: there are not too many
   */
  count(
    stream: Pick<OpenStream, 'permitted' | 'id' | 'address'>,
    camera: string,
    isKnown: (camera: string) => boolean,
  ): boolean;
}

/** @param elapsed monotonic clock in milliseconds */
export function createCameraMoves(
  audit: Pick<AuditLog, 'record'>,
  elapsed: () => number = () => performance.now(),
): CameraMoves {
  const kept = boundedCache<string, Moves>(mostKept);
  return {
    count: ({ permitted: { identity }, id, address }, name, isKnown) => {
      const now = elapsed();
      const camera = isKnown(name) ? name : undefined;
      const key = JSON.stringify([identity?.user, camera]);
      const { times, recordedAt } = kept.get(key) ?? { times: [], recordedAt: Number.NEGATIVE_INFINITY };
      const recent = times.filter((time) => now - time < second);
      if (recent.length >= mostPerSecond) return false;
      const isRecorded = now - recordedAt < recordInterval;
      kept.set(key, { times: [...recent, now], recordedAt: isRecorded ? recordedAt : now });
      if (isRecorded) return true;
      void audit.record({
        event: 'camera_moved',
        user: identity?.user,
        role: identity?.role,
        source: identity?.source,
        address,
        object: camera,
        decision: id,
      });
      return true;
    },
  };
}
