import { isDeepStrictEqual } from 'node:util';
import { createUpstream, type Upstream, type UpstreamNotices } from '../reverse-proxy/upstream.ts';
import type { UpstreamAddress } from '../reverse-proxy/upstream-pool.ts';
import { atMostEvery } from '../telemetry/at-most-every.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Tallies } from '../telemetry/tallies.ts';

/** The upstream as a configuration wants it: the same for as long as that says the same of it. */
export type KeptUpstream = (address: UpstreamAddress, connections: number) => Upstream;

// Whoever began with the former gate has asked the former upstream by then. Milliseconds.
const farewell = 10_000;

/** An upstream that stays the same keeps its connections; one that is left lets them come to their end. */
export function keptUpstream(closing: AsyncDisposableStack, notices: UpstreamNotices): KeptUpstream {
  let kept: { readonly of: readonly unknown[]; readonly upstream: Upstream } | undefined;
  closing.defer(() => kept?.upstream.destroy());
  return (address, connections) => {
    if (kept !== undefined && isDeepStrictEqual(kept.of, [address, connections])) return kept.upstream;
    const former = kept?.upstream;
    if (former !== undefined) setTimeout(() => void former.close(), farewell).unref();
    kept = { of: [address, connections], upstream: createUpstream(address, connections, notices) };
    return kept.upstream;
  };
}

// Milliseconds between two lines of the log about one and the same thing.
const noticeInterval = 60_000;

/** Counts clients for whom no connection was free, and says so now and then. */
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
