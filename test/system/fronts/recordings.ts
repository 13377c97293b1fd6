import type { RawRequest } from '../../support/raw-http.ts';

type Headers = NonNullable<RawRequest['headers']>;

export interface ClientRequest {
  readonly method?: string;
  readonly uri: string;
  /** What the client sends, and the front passes on with the authorization request. */
  readonly headers?: Headers;
}

/** Fronts of docs/fronts whose programs Debian has not: what they ask, in the shape that they document. */
interface RecordedFront {
  readonly authorizationRequest: (request: ClientRequest) => RawRequest;
  /** The part before the path of the login in a `Location`. */
  readonly origin: string;
}

/**
 * Traefik 3, https://doc.traefik.io/traefik/v3.0/middlewares/http/forwardauth, "Forward-Request Headers": a GET of the
 * `address` with the client's header lines but those of the hop, and method, protocol, host, request URI and source address
 * in X-Forwarded-Method, -Proto, -Host, -Uri and -For. The entry point has set X-Forwarded-Port, X-Forwarded-Server and
 * X-Real-Ip, which the first middleware of dynamic.yml takes out, except those that Traefik sets again.
 */
const traefik: RecordedFront = {
  origin: 'https://cameras.example',
  authorizationRequest: ({ method = 'GET', uri, headers = [] }) => ({
    method: 'GET',
    uri: '/api/authz/forward-auth',
    headers: [
      ['Host', '127.0.0.1:8972'],
      ['User-Agent', 'Mozilla/5.0'],
      ...headers,
      ['X-Forwarded-For', '192.0.2.7'],
      ['X-Forwarded-Host', 'cameras.example'],
      ['X-Forwarded-Method', method],
      ['X-Forwarded-Port', '443'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Uri', uri],
      ['Accept-Encoding', 'gzip'],
    ],
  }),
};

/**
 * Envoy, https://www.envoyproxy.io/docs/envoy/latest/api-v3/extensions/filters/http/ext_authz/v3/ext_authz.proto: the
 * client's method and Host, `path_prefix` before its path, Content-Length 0, and of its headers those that `allowed_headers`
 * names, in lower case, the lines of one name joined by a comma. The asynchronous client adds x-envoy-internal and
 * x-envoy-expected-rq-timeout-ms, and its own address to x-forwarded-for.
 */
const envoy: RecordedFront = {
  origin: '',
  authorizationRequest: ({ method = 'GET', uri, headers = [] }) => ({
    method,
    uri: `/api/authz/ext-authz${uri}`,
    headers: [
      ['host', 'cameras.example'],
      ['content-length', '0'],
      ...joined(headers),
      ['x-forwarded-proto', 'https'],
      ['x-envoy-internal', 'true'],
      ['x-forwarded-for', '192.0.2.7,127.0.0.1'],
      ['x-envoy-expected-rq-timeout-ms', '5000'],
    ],
  }),
};

export const recordedFronts = { Traefik: traefik, Envoy: envoy } as const;

function joined(headers: Headers): Headers {
  const lines = new Map<string, string>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    lines.set(lower, lines.has(lower) ? `${lines.get(lower)},${value}` : value);
  }
  return [...lines];
}
