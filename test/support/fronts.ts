import type { EntryPoint } from '../../src/policy/request-context.ts';
import { sendRaw, type RawAnswer, type RawRequest } from './raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream, type ReachedRequest } from './recording-upstream.ts';
import { rolesAreVerified, rolesOf } from './verified-roles.ts';
import { startGateway, type GatewayOptions, type RunningGateway } from './start-gateway.ts';
import { startNginxFor } from './start-nginx.ts';

/** The gate alone, asked as nginx, Traefik and Envoy would; and whole fronts. */
const adapterNames = ['auth-request', 'forward-auth', 'ext-authz'] as const;
export const frontNames = [...adapterNames, 'embedded front', 'nginx'] as const;
export type FrontName = (typeof frontNames)[number];

export interface Outcome extends RawAnswer {
  /** Requests that reached the upstream; undefined for the gate alone, which has none. */
  readonly reached: readonly ReachedRequest[] | undefined;
}

export interface Fronts {
  readonly gateway: RunningGateway;
  readonly upstream: RecordingUpstream;
  /** Addresses of the whole fronts. */
  readonly clientFacing: Readonly<Record<'embedded front' | 'nginx', { readonly authenticated: string }>>;
  /** Sends the same request by one of the fronts, or asks the gate alone about it. */
  send(front: FrontName, entryPoint: EntryPoint, request: RawRequest): Promise<Outcome>;
  close(): Promise<void>;
}

/** The gateway with its embedded front and the real nginx before it, and one recording upstream behind both. */
export async function startFronts(options: GatewayOptions): Promise<Fronts> {
  const upstream = await startRecordingUpstream(rolesOf(options.config ?? {}));
  const gateway = await startGateway({
    ...options,
    // Asked again in an hour: a machine that is busy for two seconds would close lists for a moment.
    config: {
      recorder: { check_interval: 3_600 },
      ...options.config,
      upstream: `http://${upstream.address}`,
    },
  });
  const { authenticated, internal, forwardAuthAuthenticated, forwardAuthInternal } = gateway.addresses;
  if (!authenticated || !internal || !forwardAuthAuthenticated || !forwardAuthInternal) {
    throw new Error('a listener is off');
  }
  upstream.passEventsTo(gateway.addresses.events ?? '');
  await rolesAreVerified(gateway);
  const nginx = await startNginxFor(gateway, { recorder: upstream.address });
  const clientFacing = { 'embedded front': { authenticated, internal }, nginx };
  return {
    gateway,
    upstream,
    clientFacing,
    send: async (front, entryPoint, request) => {
      if (front === 'auth-request' || front === 'forward-auth' || front === 'ext-authz') {
        const address = entryPoint === 'internal' ? forwardAuthInternal : forwardAuthAuthenticated;
        return { ...(await sendRaw(address, authorizationRequests[front](request))), reached: undefined };
      }
      upstream.takeReached();
      const answer = await sendRaw(clientFacing[front][entryPoint], request, entryPoint === 'authenticated');
      return { ...answer, reached: upstream.takeReached() };
    },
    close: async () => {
      await nginx.close();
      await gateway.close();
      await upstream.close();
    },
  };
}

/** What each front asks about a client's request, whose lines it sends along but for those that it sets itself. */
const authorizationRequests: Readonly<
  Record<(typeof adapterNames)[number], (request: RawRequest) => RawRequest>
> = {
  'auth-request': ({ method = 'GET', uri, headers = [] }) => ({
    uri: '/auth',
    headers: [
      ...without(headers, [...originalNames, 'x-forwarded-host', 'x-forwarded-proto', 'host', 'connection']),
      ['X-Original-Method', method],
      ['X-Original-URL', uri],
      ['X-Forwarded-Proto', 'https'],
      ...hostsOf(headers).map((host) => ['X-Forwarded-Host', host] as const),
    ],
  }),
  'forward-auth': ({ method = 'GET', uri, headers = [] }) => ({
    uri: '/api/authz/forward-auth',
    headers: [
      ...without(headers, [...forwardedNames, 'host', 'connection']),
      ['X-Forwarded-Method', method],
      ['X-Forwarded-Proto', 'https'],
      ...hostsOf(headers).map((host) => ['X-Forwarded-Host', host] as const),
      ['X-Forwarded-Uri', uri],
    ],
  }),
  'ext-authz': ({ method = 'GET', uri, headers = [] }) => ({
    method,
    uri: `/api/authz/ext-authz${uri}`,
    headers: [...without(headers, ['x-forwarded-proto', 'connection']), ['X-Forwarded-Proto', 'https']],
  }),
};

/** What the client asks for, as fronts pass it on. */
function hostsOf(headers: NonNullable<RawRequest['headers']>): string[] {
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host').map(([, host]) => host);
  return hosts.length === 0 ? ['gate.local'] : hosts;
}

const originalNames = ['x-original-method', 'x-original-url'];
const forwardedNames = [
  'x-forwarded-method',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-uri',
  'x-forwarded-for',
];

function without(headers: NonNullable<RawRequest['headers']>, names: readonly string[]) {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()));
}
