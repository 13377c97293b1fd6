import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { decodeJwt } from 'jose';
import { Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { freePort } from './ports.ts';
import type { OddAnswer } from './provider-answers.ts';
import { createProviderKeys, type Forgery, type ProviderKeys } from './provider-keys.ts';
import { walkThrough, type Cookies } from './provider-visitor.ts';
import { sendRaw } from './raw-http.ts';

/** The claims of a user; a change counts from the next login or refresh on. */
export interface Person {
  preferred_username?: unknown;
  groups?: unknown;
  email?: unknown;
  email_verified?: unknown;
  [claim: string]: unknown;
}

type Endpoint = 'discovery' | 'jwks' | 'authorize' | 'token' | 'userinfo' | 'end-session';

export interface RunningProvider {
  /** `http://127.0.0.1:port` */
  readonly issuer: string;
  /** The `auth.oidc` of its gate; the test sets groups and roles. */
  readonly settings: { readonly issuer: string; readonly client_id: string; readonly client_secret: string };
  /** By `sub`. A user who is removed has no login, and a refresh gets `invalid_grant`. */
  readonly people: Map<string, Person>;

  /**
   * What the browser of a user does at the provider.
   * @param authorizationUrl to which the gate led
   * @param cookies of that browser; with those of an earlier login the user types nothing
   * @returns the address at the gate to which the provider leads back
   */
  signIn(authorizationUrl: string, sub: string, cookies?: Cookies): Promise<URL>;
  /**
   * Ends the user's session at the provider, which notifies the gate by the back channel.
   * @param endSessionUrl to which the gate led; the provider's own page of signing out when absent
   * @returns the address at the gate to which the provider leads back, if any
   */
  signOut(cookies: Cookies, endSessionUrl?: string): Promise<URL | undefined>;

  /** Where `publicUrl` is reached: `host:port` or `unix:/path`. The back channel needs it. */
  reachGateAt(address: string, tls?: boolean): void;
  /** The status of each answer of the gate to the back channel. */
  readonly backChannelAnswers: readonly number[];
  /** @returns a logout token (Back-Channel Logout 1.0, section 2.4) for this client, valid or forged */
  logoutToken(claims: Readonly<Record<string, unknown>>, forgery?: Forgery): Promise<string>;

  /** How often the gate and browsers asked. */
  asked(endpoint: Endpoint): number;
  /** What the provider does wrong from now on, until it is set to undefined. */
  readonly wrong: {
    /** Forges all ID tokens in this way. */
    idToken: Forgery | undefined;
    /** A code stays valid however often it is sent. */
    codesWorkAgain: boolean | undefined;
    /** No answer has a refresh token. */
    noRefreshToken: boolean | undefined;
    /** Discovery has no `end_session_endpoint`. */
    noEndSession: boolean | undefined;
  };
  /** Answers so, in place of its own answer; undefined ends it. */
  answer(endpoint: Endpoint, odd: OddAnswer | undefined): void;
  /** Requests wait from now on. `arrived` is done with the first one; `release` lets all continue. */
  hold(endpoint: Endpoint): { readonly arrived: Promise<void>; release(): void };
  rotateKeys(forgetsFormer?: boolean): Promise<void>;
  /** Closes the port and all connections. */
  leave(): Promise<void>;
  /** Opens the same port. */
  comeBack(): Promise<void>;
  /** Registers another public address of the gate. */
  register(publicUrl: string): void;
  close(): Promise<void>;
}

const clientId = 'postern';
const clientSecret = 'the-secret-of-the-client-at-this-provider';

/**
 * A real provider of OpenID Connect in this process, on a port of loopback: code flow with PKCE, rotating refresh tokens, logout by
 * both channels. A browser finds a page with a field for the `sub`.
 * @param options.publicUrl of the gate, with its `base_path`: where its redirect URIs are
 */
export async function startProvider(options: {
  readonly publicUrl: string;
  readonly people: Readonly<Record<string, Person>>;
  /** Whether ID tokens name the user; with some providers only the userinfo endpoint does. */
  readonly claimsInIdToken?: boolean;
}): Promise<RunningProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const keys = await createProviderKeys();
  const people = new Map(Object.entries(options.people));
  const wrong: RunningProvider['wrong'] = {
    idToken: undefined,
    codesWorkAgain: undefined,
    noRefreshToken: undefined,
    noEndSession: undefined,
  };
  const counts = new Map<Endpoint, number>();
  const odd = new Map<Endpoint, OddAnswer>();
  const held = new Map<Endpoint, { arrive: () => void; readonly released: Promise<void> }>();
  const backChannelAnswers: number[] = [];
  let gate: { readonly address: string; readonly tls: boolean } | undefined;
  let { publicUrl } = options;

  const sendLogout = async (uri: string, { body }: { body: URLSearchParams }) => {
    if (gate === undefined) throw new Error('the provider has no address of the gate');
    const { host, pathname } = new URL(uri);
    const answer = await sendRaw(
      gate.address,
      {
        method: 'POST',
        uri: pathname,
        headers: [
          ['Host', host],
          ['Content-Type', 'application/x-www-form-urlencoded'],
        ],
        body: body.toString(),
      },
      gate.tls,
    );
    backChannelAnswers.push(answer.status);
    return { status: answer.status };
  };
  const storage = storageOf(wrong);
  const { claimsInIdToken = true } = options;
  const make = () => makeProvider(issuer, { publicUrl, keys, people, storage, sendLogout, claimsInIdToken });
  let { provider, handle } = make();
  const remake = () => void ({ provider, handle } = make());

  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '', issuer).pathname;
    if (path.startsWith('/interaction/')) return interaction(provider, request, response);
    const endpoint = endpoints.get(path);
    if (endpoint !== undefined) {
      counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
      const gap = held.get(endpoint);
      gap?.arrive();
      await gap?.released;
      const answer = odd.get(endpoint);
      if (answer !== undefined) return answer(response);
      if (endpoint === 'token') rewriteJson(response, (body) => rewrittenTokens(body, wrong, keys));
      if (endpoint === 'discovery' && wrong.noEndSession === true) {
        rewriteJson(response, async (body) => ({ ...body, end_session_endpoint: undefined }));
      }
    }
    return handle(request, response);
  };
  const leave = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const comeBack = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await comeBack();

  return {
    issuer,
    settings: { issuer, client_id: clientId, client_secret: clientSecret },
    people,
    signIn: async (authorizationUrl, sub, cookies = new Map()) => {
      const back = await walkThrough(issuer, authorizationUrl, cookies, { sub });
      if (back === undefined) throw new Error('the provider led nowhere');
      return back;
    },
    signOut: (cookies, endSessionUrl = `${issuer}/session/end`) =>
      walkThrough(issuer, endSessionUrl, cookies, { logout: 'yes' }),
    reachGateAt: (address, tls = false) => {
      gate = { address, tls };
    },
    backChannelAnswers,
    logoutToken: (claims, forgery) => {
      const now = Math.floor(Date.now() / 1000);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const good = { iss: issuer, aud: clientId, iat: now, exp: now + 120, events, ...claims };
      const header = { typ: 'logout+jwt', ...forgery?.header };
      return keys.sign({ jti: crypto.randomUUID(), ...good }, clientSecret, { ...forgery, header });
    },
    asked: (endpoint) => counts.get(endpoint) ?? 0,
    wrong,
    answer: (endpoint, answer) => {
      if (answer === undefined) odd.delete(endpoint);
      else odd.set(endpoint, answer);
    },
    hold: (endpoint) => {
      const arrived = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      held.set(endpoint, { arrive: arrived.resolve, released: released.promise });
      return {
        arrived: arrived.promise,
        release: () => {
          held.delete(endpoint);
          released.resolve();
        },
      };
    },
    rotateKeys: async (forgetsFormer) => {
      await keys.rotate(forgetsFormer);
      remake();
    },
    leave,
    comeBack,
    register: (url) => {
      publicUrl = url;
      remake();
    },
    close: async () => {
      if (server.listening) await leave();
    },
  };
}

const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  ['/.well-known/openid-configuration', 'discovery'],
  ['/jwks', 'jwks'],
  ['/auth', 'authorize'],
  ['/token', 'token'],
  ['/me', 'userinfo'],
  ['/session/end', 'end-session'],
]);

type Storage = ReturnType<typeof createMemoryAdapter>;

/** What the provider keeps, which outlives a change of its keys. */
function storageOf(wrong: RunningProvider['wrong']): Storage {
  const memory = createMemoryAdapter();
  return (model) => {
    const adapter = memory(model);
    const consume = adapter.consume.bind(adapter);
    adapter.consume = async (id) => {
      if (model !== 'AuthorizationCode' || wrong.codesWorkAgain !== true) await consume(id);
    };
    return adapter;
  };
}

function makeProvider(
  issuer: string,
  parts: {
    readonly publicUrl: string;
    readonly keys: ProviderKeys;
    readonly people: ReadonlyMap<string, Person>;
    readonly storage: Storage;
    readonly sendLogout: (uri: string, request: { body: URLSearchParams }) => Promise<{ status: number }>;
    readonly claimsInIdToken: boolean;
  },
): { provider: Provider; handle: RequestListener } {
  const { publicUrl, people, claimsInIdToken } = parts;
  const provider = new Provider(issuer, {
    adapter: parts.storage,
    jwks: parts.keys.jwks(),
    cookies: { keys: ['of the tests'] },
    fetch: parts.sendLogout,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${publicUrl}/postern/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/postern/oidc/logged-out`],
        backchannel_logout_uri: `${publicUrl}/postern/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    scopes: ['openid', 'offline_access', 'profile', 'email', 'groups'],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    conformIdTokenClaims: !claimsInIdToken,
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
    findAccount: (_: unknown, sub: string) => {
      const claims = people.get(sub);
      return claims && { accountId: sub, claims: () => ({ ...claims, sub }) };
    },
    // No consent is asked for.
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope('openid offline_access profile email groups');
      await grant.save();
      return grant;
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { body: string }, form: string) => {
          context.body = page(
            `${form}<button name="logout" value="yes" form="op.logoutForm">Sign out</button>`,
          );
        },
        postLogoutSuccessSource: (context: { body: string }) => {
          context.body = page('Signed out');
        },
      },
    },
  });
  return { provider, handle: provider.callback() };
}

interface GrantContext {
  readonly oidc: {
    readonly session: { readonly accountId: string };
    readonly client: { readonly clientId: string };
  };
}

async function interaction(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      page(
        `<form method="post" action="${request.url}"><input name="sub" aria-label="Who"><button>Sign in</button></form>`,
      ),
    );
    return;
  }
  const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  await provider.interactionFinished(request, response, { login: { accountId: body.get('sub') ?? '' } });
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><title>Provider</title><body>${content}</body></html>`;
}

/** Changes a JSON answer on its way out; oidc-provider ends each with one call. */
function rewriteJson(
  response: ServerResponse,
  rewrite: (body: Record<string, unknown>) => Promise<Record<string, unknown>>,
): void {
  const end = response.end.bind(response);
  response.end = ((body: string | Buffer | undefined) => {
    // No caller waits for it anymore.
    if (body === undefined) return end();
    void rewrite(JSON.parse(body.toString()) as Record<string, unknown>).then((changed) => {
      const text = JSON.stringify(changed);
      response.setHeader('content-length', Buffer.byteLength(text));
      return end(text);
    });
    return response;
  }) as typeof response.end;
}

async function rewrittenTokens(
  body: Record<string, unknown>,
  { idToken, noRefreshToken }: RunningProvider['wrong'],
  keys: ProviderKeys,
): Promise<Record<string, unknown>> {
  const { id_token: issued, refresh_token: refreshToken, ...rest } = body;
  return {
    ...rest,
    ...(noRefreshToken === true || refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(typeof issued !== 'string'
      ? {}
      : {
          id_token:
            idToken === undefined ? issued : await keys.sign(decodeJwt(issued), clientSecret, idToken),
        }),
  };
}
