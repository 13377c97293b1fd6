import type { getRequestListener } from '@hono/node-server';
import type { RequestListener } from 'node:http';

type Fetch = Parameters<typeof getRequestListener>[0];

interface FetchListenerOptions {
  /** Answers unreadable requests, and errors of `fetch`. */
  readonly errorHandler?: (error: unknown) => Response;
}

/**
 * Answers the requests of a Node server by a function from Request to Response. It is loaded with the first request: Node's own fetch,
 * which comes with it, would cost 3 MiB in a gate that only answers fronts.
 */
export function fetchListener(fetch: Fetch, options: FetchListenerOptions = {}): RequestListener {
  let listener: ReturnType<typeof getRequestListener> | undefined;
  const load = async () => {
    const adapter = await import('@hono/node-server');
    return (listener ??= adapter.getRequestListener(fetch, options));
  };
  return (incoming, outgoing) => {
    if (listener !== undefined) {
      void listener(incoming, outgoing);
      return;
    }
    load().then(
      (loaded) => loaded(incoming, outgoing),
      () => outgoing.destroy(),
    );
  };
}
