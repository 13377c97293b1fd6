import type { IncomingMessage } from 'node:http';
import { isPathPrefix } from '../../config/values.ts';
import type { RequestContext, EntryPoint, Front } from '../../policy/request-context.ts';
import { belowBasePath, firstForwarded, isForwardedSecure } from '../../policy/forwarded.ts';
import { awaitsChallenge } from '../../policy/challenge.ts';
import { clientAddress, isProtectedConnection } from '../../policy/client-address.ts';
import { isGranted, type Grant } from '../../policy/grant.ts';
import { globalDenial } from '../../policy/global-denial.ts';
import type { Reason } from '../../policy/reasons.ts';
import { headerValues } from '../../policy/raw-headers.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { displayOf } from '../../language/display.ts';
import { nameText } from '../../language/fill.ts';
import { languageOf } from '../../language/language.ts';
import { asksForPage, type Recipient } from './refusal.ts';

/** Properties of the listener that accepted a request, which no request can change. */
export interface ListenerFacts {
  readonly entryPoint: EntryPoint;
  readonly listener: 'client-facing' | 'forward-auth' | 'relay';
  /** Whether the listener speaks TLS. */
  readonly tls: boolean;
}

interface Client {
  readonly address: string;
  readonly secure: boolean;
  readonly host: string | undefined;
  /** Path prefix below which the client sees the site; empty at the root. */
  readonly prefix: string;
}

/** A request, and the listener that accepted it. */
type Arrival = ListenerFacts & { readonly incoming: IncomingMessage };

type Believing = Pick<Settings, 'isTrustedProxy' | 'rules'>;

/** The context of a client's own request, with what the listener found out about the client. */
interface ClientContext extends RequestContext {
  readonly client: Client;
  /** Why everyone gets a refusal. Absent when the request may be answered. */
  readonly denial: Reason | undefined;
}

/** One per request: a request is read by one configuration, and rarely by its successor too. */
const made = new WeakMap<
  IncomingMessage,
  { readonly settings: Believing; readonly context: ClientContext }
>();

/** The context of a client's own request: on a client-facing listener or a relay, or about an account through a front. */
export function contextOf(env: Arrival, settings: Believing): ClientContext {
  const known = made.get(env.incoming);
  if (known?.settings === settings) return known.context;
  const context = readContext(env, settings, known?.context.uri);
  made.set(env.incoming, { settings, context });
  return context;
}

/** `contextOf` for media of a share. */
export function sharedMediaContextOf(env: Arrival, settings: Believing): ClientContext {
  const context = contextOf(env, settings);
  context.isSharedMedia = true;
  return context;
}

/** The client behind a request. */
export function clientOf(env: Arrival, settings: Believing): Client {
  return contextOf(env, settings).client;
}

/** Headers about the client are only trusted from one of our fronts or a trusted proxy. */
function readClient({ incoming, listener, tls }: Arrival, { isTrustedProxy, rules }: Believing): Client {
  const peer = socketOf({ incoming })?.remoteAddress;
  const behindFront = listener !== 'client-facing';
  const believed = behindFront || isTrustedProxy(peer ?? '');
  const said = (name: string) => (believed ? headerValues(incoming.rawHeaders, name)[0] : undefined);
  const scheme = said('x-forwarded-proto');
  const prefixIn = (name: string) => forwardedPrefix(headerValues(incoming.rawHeaders, name));
  const prefix = believed ? prefixIn('x-forwarded-prefix') : undefined;
  // Home Assistant's own header and form: other proxies let a client send it.
  const ingress = believed && !behindFront ? prefixIn('x-ingress-path') : undefined;
  const ofIngress = ingress?.startsWith('/api/hassio_ingress/') === true ? ingress : undefined;
  return {
    address: clientAddress(
      { peer, behindFront, forwardedFor: headerValues(incoming.rawHeaders, 'x-forwarded-for') },
      isTrustedProxy,
    ),
    secure: scheme === undefined ? tls : isForwardedSecure(scheme),
    host: firstForwarded(said('x-forwarded-host') ?? '') || headerValues(incoming.rawHeaders, 'host')[0],
    prefix: prefix ?? ofIngress ?? rules.basePath,
  };
}

/** @returns `undefined` if the prefix is missing, repeated, or could be read as another origin by a browser */
function forwardedPrefix(said: readonly string[]): string | undefined {
  const prefix = said[0]?.replace(/\/$/, '');
  return said.length === 1 && prefix !== undefined && isPathPrefix(prefix) ? prefix : undefined;
}

/** The front of a client's own request, by listener. */
const frontOf = {
  'client-facing': 'embedded',
  relay: 'relay',
  'forward-auth': undefined,
} as const satisfies Record<ListenerFacts['listener'], Front | undefined>;

/** @param taken the target as an earlier configuration read it: another `base_path` must not change what was decided and sent on */
function readContext(env: Arrival, settings: Believing, taken?: string): ClientContext {
  const client = readClient(env, settings);
  const { method, url = '', rawHeaders } = env.incoming;
  const isDirect = env.listener === 'client-facing';
  const context: RequestContext = {
    entryPoint: env.entryPoint,
    front: frontOf[env.listener],
    body: env.listener === 'forward-auth' ? undefined : 'to-come',
    method,
    // From here on everything reads the same target: the decision, the answer, and the upstream.
    uri: taken ?? (isDirect ? belowBasePath(url, settings.rules.basePath) : url),
    headers: rawHeaders,
    // A closed connection has no address, but that does not make it a front.
    peer: isDirect ? (socketOf(env)?.remoteAddress ?? '') : undefined,
    host: client.host,
    secure: client.secure,
    // Without information about the client, a front's own address must not count as the client's.
    address: isDirect ? client.address : undefined,
  };
  return { ...context, client, denial: globalDenial(context, settings.rules.internalHosts) };
}

/** A request whose body was abandoned has no socket anymore. */
function socketOf({ incoming }: Pick<Arrival, 'incoming'>): IncomingMessage['socket'] | null {
  return incoming.socket;
}

/** The part of a client's connection that is passed on to the upstream. */
interface KnownConnection {
  readonly address: string;
  readonly secure: boolean;
  /** Whether its X-Forwarded-For is passed on too. */
  readonly trusted: boolean;
  readonly prefix: string;
  readonly host?: string | undefined;
}

/** The connection of a client on a client-facing listener. */
export function connectionOfClient(env: Arrival, settings: Believing): KnownConnection {
  const address = env.incoming.socket.remoteAddress ?? '';
  const trusted = settings.isTrustedProxy(address);
  return { address, secure: env.tls, trusted, prefix: clientOf(env, settings).prefix };
}

/** The connection of a client behind a front: only what the front says, never the client. */
export function connectionBehindFront(env: Arrival, settings: Believing): KnownConnection {
  return { ...clientOf(env, settings), trusted: false };
}

/** @returns the address of a request's client; empty if unknown */
export function addressOf(
  { address, peer, headers }: Addressed,
  { isTrustedProxy }: Pick<Settings, 'isTrustedProxy'>,
): string {
  if (address !== undefined) return address;
  const forwardedFor = headerValues(headers, 'x-forwarded-for');
  return clientAddress({ peer, behindFront: peer === undefined, forwardedFor }, isTrustedProxy);
}

type Addressed = Pick<RequestContext, 'peer' | 'headers' | 'address'>;

/** The login for a client, or `undefined` if the gate has none. */
export function loginUrlOf(env: Arrival, settings: Settings): string | undefined {
  return settings.mode === 'session' ? `${clientOf(env, settings).prefix}/login` : undefined;
}

/**
 * Whether a 401 asks for a password: an API token can be one, on a connection that no one else can read.
 * @param request the client's own
 */
export function isChallenged(request: RequestContext, settings: Settings): boolean {
  return (
    settings.mode === 'session' &&
    settings.features.has('api_tokens') &&
    awaitsChallenge(request) &&
    isProtectedConnection(request, addressOf(request, settings), settings.isTrustedProxy)
  );
}

/** The page on which a client sets up a second factor. */
export function accountUrlOf(env: Arrival, settings: Settings): string {
  return `${clientOf(env, settings).prefix}/postern/account`;
}

/**
 * The client of a request, who receives an answer of the gate.
 * @param asked the client's own request, if the request is a front's
 */
export function recipientOf(
  env: Arrival,
  settings: Settings,
  asked: RequestContext = contextOf(env, settings),
): Recipient {
  const loginUrl = loginUrlOf(env, settings);
  const { zone } = settings;
  if (!asksForPage(env.incoming))
    return { loginUrl, reader: undefined, zone, isChallenged: isChallenged(asked, settings) };
  const { contact, features, house, logoutUrl } = settings;
  const { headers } = env.incoming;
  const display = displayOf(headers.cookie);
  return {
    loginUrl,
    zone,
    reader: {
      zone,
      language: languageOf(headers['accept-language'], display.language),
      look: display.look,
      contact,
      house,
      prefix: clientOf(env, settings).prefix,
      loginUrl,
      logoutUrl,
      namesOf: (grant) => namesOf(settings, grant),
      mayAsk: features.has('access_requests'),
      navigatedTo: asked.method === 'GET' ? asked.uri : undefined,
    },
  };
}

function namesOf({ allCameras, friendlyNames }: Settings, grant: Grant): string[] {
  const friendly = friendlyNames();
  return allCameras()
    .filter((camera) => isGranted(grant, camera))
    .map((camera) => friendly.get(camera) ?? nameText(camera));
}
