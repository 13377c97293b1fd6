import { AppError } from '../../errors.ts';
import { headerValues, type RawHeaders } from '../../policy/raw-headers.ts';
import { atMostEvery } from '../../telemetry/pacing.ts';

/** Names the gates that have passed a request on, in order. */
export const hopsHeader = 'x-postern-hops';

/** Finds requests that come back to the gate that has passed them on. */
export interface Hops {
  /**
   * @param sent header lines of a request that is about to be passed on
   * @returns the header's value for the upstream
   * @throws AppError `loop_detected`
   */
  next(sent: RawHeaders): string;
  /** Whether a request came back a moment ago. */
  isLooping(): boolean;
}

// More gates in a row are a loop through gates that do not know each other.
const mostHops = 16;
// Milliseconds.
const moment = 10_000;
const noticeInterval = 60_000;

/**
 * @param own name of this gate: no client can guess it. One that learns it from the recorder can end only its own requests.
 * @param onLoop called at most once a minute
 */
export function createHops(own: string, onLoop: () => void): Hops {
  const notice = atMostEvery(noticeInterval, onLoop);
  let last = Number.NEGATIVE_INFINITY;
  return {
    next: (sent) => {
      // A client may have sent anything.
      const hops = headerValues(sent, hopsHeader)
        .flatMap((value) => value.split(','))
        .map((hop) => hop.trim())
        .filter((hop) => /^[\w-]{1,64}$/.test(hop));
      if (hops.includes(own)) {
        last = performance.now();
        notice();
        throw new AppError('loop_detected');
      }
      if (hops.length >= mostHops) throw new AppError('loop_detected');
      return [...hops, own].join(', ');
    },
    isLooping: () => performance.now() - last < moment,
  };
}
