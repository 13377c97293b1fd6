import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { madeOnce } from '../made-once.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** Paths for monitoring. Their responses contain nothing about users, cameras or secrets. */
export const monitoringPaths: readonly string[] = ['/healthz', '/readyz', '/metrics'];

interface MonitoringAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @returns the response to a GET of one of `monitoringPaths`; undefined for any other path */
export type Monitoring = (path: string) => Promise<MonitoringAnswer> | undefined;

/** @param startMetrics called when they are first read */
export function createMonitoring(
  readiness: () => Promise<Readiness>,
  startMetrics: () => Promise<Pick<Metrics, 'expose' | 'contentType'>>,
): Monitoring {
  const metrics = madeOnce(startMetrics);
  const answers: Readonly<Record<string, () => Promise<MonitoringAnswer>>> = {
    '/healthz': async () => json(200, { status: 'alive' }),
    '/readyz': async () => {
      const found = await readiness();
      return json(found.status === 'unready' ? 503 : 200, found);
    },
    '/metrics': async () => {
      const { contentType, expose } = await metrics();
      return answer(200, contentType, await expose());
    },
  };
  return (path) => (Object.hasOwn(answers, path) ? answers[path]?.() : undefined);
}

/** Serves only the monitoring paths. */
export function monitoringListener(
  monitoring: Monitoring,
  onError: (error: unknown) => void,
): RequestListener {
  const answerOf = async (method: string | undefined, path: string): Promise<MonitoringAnswer> => {
    const isRead = method === 'GET' || method === 'HEAD';
    try {
      return (isRead && (await monitoring(path))) || json(404, { message: 'Not found', code: 'not_found' });
    } catch (error) {
      onError(error);
      return json(500, { message: 'Internal error', code: 'internal' });
    }
  };
  const serve = async ({ method, url = '' }: IncomingMessage, outgoing: ServerResponse) => {
    const { status, headers, body } = await answerOf(method, url.split('?', 1)[0] ?? '');
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    outgoing.end(body);
  };
  return (incoming, outgoing) => {
    incoming.resume();
    void serve(incoming, outgoing);
  };
}

function json(status: number, value: unknown): MonitoringAnswer {
  return answer(status, 'application/json', `${JSON.stringify(value)}\n`);
}

function answer(status: number, type: string, body: string): MonitoringAnswer {
  return {
    status,
    headers: { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    body,
  };
}
