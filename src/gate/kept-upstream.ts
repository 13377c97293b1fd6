import { createUpstream, type Upstream, type UpstreamNotices } from '../http/reverse-proxy/upstream.ts';
import type { UpstreamAddress } from '../recorder/upstream-pool.ts';
import { keepLatest } from '../keep-latest.ts';
import { atMostEvery } from '../telemetry/pacing.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Tallies } from '../telemetry/tallies.ts';

/** Upstreams by configurations: the same object for as long as the upstream settings stay the same. */
export interface KeptUpstreams {
  /** Creates it, or returns the one in use, without using it yet. */
  at(address: UpstreamAddress, connections: number): Upstream;
  /** Uses it from now on. The previous one keeps its connections until its requests are over. */
  use(upstream: Upstream): void;
}

// Milliseconds, after which every request that began with the previous runtime has asked its upstream.
const drain = 10_000;

export function keptUpstreams(closing: AsyncDisposableStack, notices: UpstreamNotices): KeptUpstreams {
  let used: Upstream | undefined;
  closing.defer(() => used?.destroy());
  return {
    at: keepLatest((address, connections) => createUpstream(address, connections, notices)),
    use: (upstream) => {
      const previous = used;
      used = upstream;
      if (previous !== undefined && previous !== upstream)
        setTimeout(() => void previous.close(), drain).unref();
    },
  };
}

// Milliseconds between two lines of the log about the same thing.
const noticeInterval = 60_000;

/** Counts clients for which no connection was free, and logs that now and then. */
export function noticeBusy({ limited }: Tallies, logger: Logger): (client: string) => void {
  let last = '';
  const notice = atMostEvery(noticeInterval, () =>
    logger.warn(
      { address: last },
      'no connection to the recorder was free for a client: limits.upstream_connections',
    ),
  );
  return (client) => {
    last = client;
    limited.upstream_connections += 1;
    notice();
  };
}
