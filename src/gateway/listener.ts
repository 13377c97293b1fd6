import { getRequestListener } from '@hono/node-server';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { AppError } from '../errors.ts';
import { canonicalUri } from '../policy/canonical-uri.ts';
import type { GatewayBindings } from './gateway-environment.ts';
import type { createGateway } from './gateway.ts';
import type { Logger } from '../telemetry/logger.ts';
import { errorResponse } from './refusal.ts';

/** Binds the gateway to a listener, whose edge and kind no request can change. */
export function gatewayListener(
  gateway: ReturnType<typeof createGateway>,
  facts: Pick<GatewayBindings, 'edge' | 'listener' | 'tls'>,
): RequestListener {
  const listener = getRequestListener(
    (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const uri = canonicalUri(incoming.url ?? '');
      if ('refused' in uri) return refuse(new AppError('forbidden'));
      return gateway.fetch(request, { ...env, ...facts, path: uri.path });
    },
    { errorHandler: () => refuse(new AppError('bad_request')), overrideGlobalObjects: false },
  );
  return (incoming, outgoing) => void listener(incoming, outgoing);
}

/**
 * Refuses a forward-auth request that Node cannot even parse (a control character in a header, headers
 * that are too long). Node's own 400 or 431 would be an error to a front, and 500 to the client.
 */
export function refuseUnparsable(server: Server, logger: Logger): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    logger.info({ verdict: 'unauthenticated', reason: 'request_unparsable', cause: error.code }, 'refused');
    if (socket.writable)
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
}

function refuse(error: AppError): Response {
  const { status, headers, body } = errorResponse(error, false);
  return new Response(body, { status, headers });
}
