import type { Cookies } from './provider-visitor.ts';
import { sendRaw, type RawAnswer } from './raw-http.ts';
import type { RunningProvider } from './start-provider.ts';

/** One browser that signs in at a provider: it keeps the cookies of both sites. */
export interface SignOnBrowser {
  /** Of the gate. */
  readonly cookies: Map<string, string>;
  readonly atProvider: Cookies;
  /** Opens a page of the gate, and keeps the cookies of the answer. */
  open(uri: string, headers?: ReadonlyArray<readonly [string, string]>, method?: string): Promise<RawAnswer>;
  /** @returns the address at the provider to which the gate leads */
  begin(query?: string): Promise<string>;
  /** Signs in there. @returns the request target of the gate to which the provider leads back */
  signIn(authorizationUrl: string, sub: string): Promise<string>;
  /** All of it. @returns the last answer of the gate */
  logIn(sub: string, query?: string): Promise<RawAnswer>;
  /** The session token; undefined: none. */
  token(): string | undefined;
}

/** @param address of the gate: `host:port` or `unix:/path` */
export function signOnBrowser(address: string, provider: RunningProvider, tls = false): SignOnBrowser {
  const cookies = new Map<string, string>();
  const atProvider: Cookies = new Map();
  const self: SignOnBrowser = {
    cookies,
    atProvider,
    open: async (uri, headers = [], method = 'GET') => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await sendRaw(
        address,
        {
          method,
          uri,
          headers: [
            ['Host', 'cameras.example'],
            ['Accept', 'text/html'],
            ...(cookie === '' ? [] : [['Cookie', cookie] as const]),
            ...headers,
          ],
        },
        tls,
      );
      for (const line of answer.headers.get('set-cookie') ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    },
    begin: async (query = '') => {
      const { status, headers, body } = await self.open(`/postern/oidc/login${query}`);
      if (status !== 303) throw new Error(`the login leads nowhere: ${status} ${body}`);
      return headers.get('location')?.[0] ?? '';
    },
    signIn: async (authorizationUrl, sub) => {
      const { pathname, search } = await provider.signIn(authorizationUrl, sub, atProvider);
      return pathname + search;
    },
    logIn: async (sub, query) => self.open(await self.signIn(await self.begin(query), sub)),
    token: () => cookies.get('session_token'),
  };
  return self;
}
