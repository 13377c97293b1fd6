import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { clientAddress, type InNetworks } from '../accounts/client-address.ts';
import { headerValues } from '../policy/raw-headers.ts';
import type { AccessRequest, Allowed, Edge } from '../policy/verdict.ts';
import type { Session } from '../sessions/sessions.ts';

/** Facts of the listener that accepted a request, and its canonical path. */
export interface GatewayBindings extends HttpBindings {
  readonly edge: Edge;
  readonly listener: 'client-facing' | 'forward-auth';
  /** Whether the listener speaks TLS. */
  readonly tls: boolean;
  readonly path: string;
}

export interface GatewayEnvironment {
  Bindings: GatewayBindings;
  Variables: { allowed: Allowed; session: Session | undefined };
}

export type GatewayContext = Context<GatewayEnvironment>;

export interface Client {
  readonly address: string;
  readonly secure: boolean;
  readonly host: string | undefined;
}

/** The client behind a request. What headers say of it is believed from a front of ours or a trusted proxy only. */
export function clientOf({ incoming, listener, tls }: GatewayBindings, isTrusted: InNetworks): Client {
  const peer = incoming.socket.remoteAddress;
  const behindFront = listener === 'forward-auth';
  const believed = behindFront || isTrusted(peer ?? '');
  const said = (name: string) => (believed ? headerValues(incoming.rawHeaders, name)[0] : undefined);
  return {
    address: clientAddress(
      { peer, behindFront, forwardedFor: headerValues(incoming.rawHeaders, 'x-forwarded-for') },
      isTrusted,
    ),
    secure: (said('x-forwarded-proto') ?? (tls ? 'https' : 'http')) === 'https',
    host: said('x-forwarded-host') ?? headerValues(incoming.rawHeaders, 'host')[0],
  };
}

/** A request that speaks for itself: on a client-facing listener, or about an account through a front. */
export function accessRequestOfClient(env: GatewayBindings, isTrusted: InNetworks): AccessRequest {
  const { host, secure } = clientOf(env, isTrusted);
  const { method, url, rawHeaders } = env.incoming;
  return { edge: env.edge, method, uri: url, headers: rawHeaders, host, secure };
}
