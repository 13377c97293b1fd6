import type { Edge } from '../../src/policy/verdict.ts';
import { sendRaw, type RawAnswer, type RawRequest } from './raw-http.ts';
import { startRecordingUpstream, type ReachedRequest } from './recording-upstream.ts';
import { startGateway, type GatewayOptions, type RunningGateway } from './start-gateway.ts';
import { startNginx } from './start-nginx.ts';

export const frontNames = ['gateway', 'embedded front', 'nginx'] as const;
export type FrontName = (typeof frontNames)[number];

export interface Outcome extends RawAnswer {
  /** Requests that reached the upstream; undefined for the gateway alone, which has none. */
  readonly reached: readonly ReachedRequest[] | undefined;
}

export interface Fronts {
  readonly gateway: RunningGateway;
  /** Sends the same request by one of the fronts: to the gateway alone as nginx would ask about it. */
  send(front: FrontName, edge: Edge, request: RawRequest): Promise<Outcome>;
  close(): Promise<void>;
}

/** The gateway with its embedded front and the real nginx before it, and one recording upstream behind both. */
export async function startFronts(options: GatewayOptions): Promise<Fronts> {
  const upstream = await startRecordingUpstream();
  const gateway = await startGateway({
    ...options,
    config: { ...options.config, upstream: `http://${upstream.address}` },
  });
  const { authenticated, internal, forwardAuthAuthenticated, forwardAuthInternal } = gateway.addresses;
  if (!authenticated || !internal || !forwardAuthAuthenticated || !forwardAuthInternal) {
    throw new Error('a listener is off');
  }
  upstream.passEventsTo(gateway.addresses.events ?? '');
  const nginx = await startNginx({
    gateway: { authenticated: forwardAuthAuthenticated, internal: forwardAuthInternal },
    recorder: upstream.address,
    ...(options.trustedHeadersFile === undefined ? {} : { trustedHeadersFile: options.trustedHeadersFile }),
  });
  const clientFacing = { 'embedded front': { authenticated, internal }, nginx };
  return {
    gateway,
    send: async (front, edge, request) => {
      if (front === 'gateway') {
        const address = edge === 'internal' ? forwardAuthInternal : forwardAuthAuthenticated;
        return { ...(await sendRaw(address, question(request))), reached: undefined };
      }
      upstream.takeReached();
      const answer = await sendRaw(clientFacing[front][edge], request, edge === 'authenticated');
      return { ...answer, reached: upstream.takeReached() };
    },
    close: async () => {
      await nginx.close();
      await gateway.close();
      await upstream.close();
    },
  };
}

/** The auth_request subrequest that nginx/postern makes of a client's request. */
function question({ method = 'GET', uri, headers = [] }: RawRequest): RawRequest {
  const overwritten = new Set(['x-original-method', 'x-original-url', 'host', 'connection']);
  return {
    uri: '/auth',
    headers: [
      ...headers.filter(([name]) => !overwritten.has(name.toLowerCase())),
      ['X-Original-Method', method],
      ['X-Original-URL', uri],
    ],
  };
}
