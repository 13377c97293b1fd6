import type { getRequestListener } from '@hono/node-server';
import type { RequestListener } from 'node:http';

type Fetch = Parameters<typeof getRequestListener>[0];

interface FetchListenerOptions {
  /** Answers what cannot be read as a request, and what `fetch` throws. */
  readonly errorHandler?: (error: unknown) => Response;
}

/**
 * Answers the requests of a server of Node's by a function from Request to Response. The first of them loads what that takes: with
 * Node's own fetch, which comes with it, a gate that only answers fronts would take 3 MiB more.
 */
export function fetchListener(fetch: Fetch, options: FetchListenerOptions = {}): RequestListener {
  let listener: ReturnType<typeof getRequestListener> | undefined;
  const load = async () => {
    const adapter = await import('@hono/node-server');
    return (listener ??= adapter.getRequestListener(fetch, { ...options, overrideGlobalObjects: false }));
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
