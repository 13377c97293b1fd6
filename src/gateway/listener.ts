import { getRequestListener } from '@hono/node-server';
import type { IncomingMessage, RequestListener } from 'node:http';
import { AppError } from '../errors.ts';
import { canonicalUri } from '../policy/canonical-uri.ts';
import type { createGateway, GatewayBindings } from './gateway.ts';
import { errorResponse } from './refusal.ts';

/** Binds the gateway to a listener, whose edge and kind no request can change. */
export function gatewayListener(
  gateway: ReturnType<typeof createGateway>,
  facts: Pick<GatewayBindings, 'edge' | 'listener'>,
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

function refuse(error: AppError): Response {
  const { status, headers, body } = errorResponse(error, false);
  return new Response(body, { status, headers });
}
