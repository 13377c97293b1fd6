export type Header = readonly [name: string, value: string];

/** A request of a client. */
export interface Asked {
  readonly method?: string;
  readonly uri: string;
  readonly headers?: readonly Header[];
}

/** The same request of a client, as each front asks about it. */
export const adapters = {
  'auth-request': ({ method = 'GET', uri, headers = [] }: Asked) => ({
    uri: '/api/authz/auth-request',
    headers: [
      ['X-Original-Method', method],
      ['X-Original-URL', uri],
      ['X-Forwarded-Proto', 'https'],
      ...headers,
    ] as Header[],
  }),
  'forward-auth': ({ method = 'GET', uri, headers = [] }: Asked) => ({
    uri: '/api/authz/forward-auth',
    headers: [
      ['X-Forwarded-Method', method],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Host', 'cameras.example'],
      ['X-Forwarded-Uri', uri],
      ...headers,
    ] as Header[],
  }),
  'ext-authz': ({ method = 'GET', uri, headers = [] }: Asked) => ({
    method,
    uri: `/api/authz/ext-authz${uri}`,
    headers: [['Host', 'cameras.example'], ['X-Forwarded-Proto', 'https'], ...headers] as Header[],
  }),
};
