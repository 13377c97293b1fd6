import type { IncomingMessage } from 'node:http';
import { isPathPrefix } from '../../config/values.ts';
import type { RequestContext, EntryPoint, Front } from '../../policy/request-context.ts';
import { belowBasePath } from '../../policy/base-path.ts';
import { clientAddress } from '../../policy/client-address.ts';
import { globalDenial } from '../../policy/global-denial.ts';
import type { Reason } from '../../policy/reasons.ts';
import { headerValues, type RawHeaders } from '../../policy/raw-headers.ts';
import type { Settings } from '../../access/settings/settings.ts';

/** Facts of the listener that accepted a request: no request can change them. */
export interface ListenerFacts {
  readonly entryPoint: EntryPoint;
  readonly listener: 'client-facing' | 'forward-auth' | 'relay';
  /** Whether the listener speaks TLS. */
  readonly tls: boolean;
}

export interface Client {
  readonly address: string;
  readonly secure: boolean;
  readonly host: string | undefined;
  /** Path prefix below which the client sees the site; empty at the root. */
  readonly prefix: string;
}

/** A request, and the listener that accepted it. */
export type Arrival = ListenerFacts & { readonly incoming: IncomingMessage };

type Believing = Pick<Settings, 'isTrustedProxy' | 'rules'>;

/** The context of a request that speaks for itself, and what the listener found of its client. */
export interface ClientContext extends RequestContext {
  readonly client: Client;
  /** Why no one gets an answer to it but the refusal; undefined: it may be answered. */
  readonly denial: Reason | undefined;
}

/** One for each request: a request is read by one configuration, and seldom by its successor too. */
const made = new WeakMap<
  IncomingMessage,
  { readonly settings: Believing; readonly context: ClientContext }
>();

/** A request that speaks for itself: on a client-facing listener or a relay, or about an account through a front. */
export function contextOf(env: Arrival, settings: Believing): ClientContext {
  const known = made.get(env.incoming);
  if (known?.settings === settings) return known.context;
  const context = readContext(env, settings);
  made.set(env.incoming, { settings, context });
  return context;
}

/** The same, of a request for media of a share. */
export function sharedMediaContextOf(env: Arrival, settings: Believing): ClientContext {
  const context = contextOf(env, settings);
  context.isSharedMedia = true;
  return context;
}

/** The client behind a request. */
export function clientOf(env: Arrival, settings: Believing): Client {
  return contextOf(env, settings).client;
}

/** What headers say of a client is believed from a front of ours or a trusted proxy only. */
function readClient({ incoming, listener, tls }: Arrival, { isTrustedProxy, rules }: Believing): Client {
  const peer = socketOf({ incoming })?.remoteAddress;
  const behindFront = listener !== 'client-facing';
  const believed = behindFront || isTrustedProxy(peer ?? '');
  const said = (name: string) => (believed ? headerValues(incoming.rawHeaders, name)[0] : undefined);
  const prefix = believed ? forwardedPrefix(incoming.rawHeaders) : undefined;
  return {
    address: clientAddress(
      { peer, behindFront, forwardedFor: headerValues(incoming.rawHeaders, 'x-forwarded-for') },
      isTrustedProxy,
    ),
    secure: (said('x-forwarded-proto') ?? (tls ? 'https' : 'http')) === 'https',
    host: said('x-forwarded-host') ?? headerValues(incoming.rawHeaders, 'host')[0],
    prefix: prefix ?? rules.basePath,
  };
}

/** @returns undefined when nothing is said, or several things, or what a browser could read as another origin */
function forwardedPrefix(headers: RawHeaders): string | undefined {
  const said = headerValues(headers, 'x-forwarded-prefix');
  const prefix = said[0]?.replace(/\/$/, '');
  return said.length === 1 && prefix !== undefined && isPathPrefix(prefix) ? prefix : undefined;
}

/** Who passes a request on that speaks for itself. */
const frontOf = {
  'client-facing': 'embedded',
  relay: 'relay',
  'forward-auth': undefined,
} as const satisfies Record<ListenerFacts['listener'], Front | undefined>;

function readContext(env: Arrival, settings: Believing): ClientContext {
  const client = readClient(env, settings);
  const { method, url = '', rawHeaders } = env.incoming;
  const isDirect = env.listener === 'client-facing';
  const context: RequestContext = {
    entryPoint: env.entryPoint,
    front: frontOf[env.listener],
    body: env.listener === 'forward-auth' ? undefined : 'to-come',
    method,
    // From here on everyone reads the same target: what decides, what answers, and the upstream.
    uri: isDirect ? belowBasePath(url, settings.rules.basePath) : url,
    headers: rawHeaders,
    // A connection that is gone has no address, and is no front for that.
    peer: isDirect ? (socketOf(env)?.remoteAddress ?? '') : undefined,
    host: client.host,
    secure: client.secure,
    // A front that says nothing of the client has its own address, which is not the client's.
    address: isDirect ? client.address : undefined,
  };
  return { ...context, client, denial: globalDenial(context, settings.rules.internalHosts) };
}

/** A request whose body was given up has no socket any more. */
function socketOf({ incoming }: Pick<Arrival, 'incoming'>): IncomingMessage['socket'] | null {
  return incoming.socket;
}

/** What is passed on of a client's connection, to what stands behind the gate. */
interface ToldConnection {
  readonly address: string;
  readonly secure: boolean;
  /** Whether its X-Forwarded-For is passed on too. */
  readonly trusted: boolean;
  readonly prefix: string;
  readonly host?: string | undefined;
}

/** Of a client of a client-facing listener. */
export function connectionOfClient(env: Arrival, settings: Believing): ToldConnection {
  const address = env.incoming.socket.remoteAddress ?? '';
  const trusted = settings.isTrustedProxy(address);
  return { address, secure: env.tls, trusted, prefix: clientOf(env, settings).prefix };
}

/** Of a client behind a front: what the front says of it, and nothing that the client says of itself. */
export function connectionBehindFront(env: Arrival, settings: Believing): ToldConnection {
  return { ...clientOf(env, settings), trusted: false };
}

/** @returns the address of the client that a request is about; empty when no one said */
export function addressOf(
  { address, peer, headers }: Addressed,
  { isTrustedProxy }: Pick<Settings, 'isTrustedProxy'>,
): string {
  if (address !== undefined) return address;
  const forwardedFor = headerValues(headers, 'x-forwarded-for');
  return clientAddress({ peer, behindFront: peer === undefined, forwardedFor }, isTrustedProxy);
}

type Addressed = Pick<RequestContext, 'peer' | 'headers' | 'address'>;

/** Where a client that has to log in goes; undefined when there is no login of ours. */
export function loginUrlOf(env: Arrival, settings: Settings): string | undefined {
  return settings.mode === 'session' ? `${clientOf(env, settings).prefix}/login` : undefined;
}

/** Where a client goes that has to set up a second factor first. */
export function accountUrlOf(env: Arrival, settings: Settings): string {
  return `${clientOf(env, settings).prefix}/postern/account`;
}
