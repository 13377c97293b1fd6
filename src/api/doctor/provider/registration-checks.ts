import { createPublicKey } from 'node:crypto';
import type { OidcConfiguration } from '../../../config/configuration.ts';
import { type Finding, finding, info } from '../check.ts';
import {
  type Fields,
  type ProviderAnswer,
  type ProviderCheck,
  type ProviderExamination,
  errorWords,
  fieldsOf,
  listIn,
  textIn,
} from './provider-examination.ts';

/** The provider has the client and its redirect URI, and accepts the scopes. */
export const redirect: ProviderCheck = {
  name: 'oidc-redirect-uri',
  needs: 'metadata',
  run: async ({ addresses, oidc, metadata, ask }) => {
    const printed = [
      info('redirect URI, to register', addresses.callback),
      info('address after the logout, to register', addresses.loggedOut),
      info('back-channel logout address, to register', addresses.backChannel),
    ];
    const endpoint = textIn(metadata, 'authorization_endpoint');
    if (metadata['require_pushed_authorization_requests'] === true)
      return [
        ...printed,
        finding(
          'require_pushed_authorization_requests',
          'false',
          'true',
          'the provider must take authorization requests that were not pushed',
        ),
      ];
    if (endpoint === undefined || !URL.canParse(endpoint)) return printed;
    return [
      ...printed,
      led(await ask(authorizationUrl(endpoint, oidc, addresses.callback)), addresses.callback),
    ];
  },
};

/** RFC 7636, appendix B: the code is never used, and a login has a verifier of its own. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

function authorizationUrl(
  endpoint: string,
  { clientId, scopes }: OidcConfiguration,
  callback: string,
): string {
  const url = new URL(endpoint);
  const parameters = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: scopes,
    prompt: 'none',
    state: 'postern-doctor-asks',
    nonce: 'postern-doctor-asks',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** OpenID Connect Core 1.0, 3.1.2.6: no user is signed in, or a page would have to be shown. */
const loginNeeded = /^(?:login|interaction|consent|account_selection)_required$/;

/** The provider's answer to a request that cannot log anyone in. */
function led({ status, location, failure }: ProviderAnswer, callback: string): Finding {
  const [sent, expected] = ['an authorization request with prompt=none', 'back to Postern: login_required'];
  const said = (name: string) => location?.searchParams.get(name) ?? undefined;
  const error = said('error');
  const words = errorWords(said, undefined);
  if (location !== undefined && location.origin + location.pathname === callback) {
    if (error === undefined) return info(sent, 'back to Postern without an error');
    if (loginNeeded.test(error)) return finding(sent, expected, `back to Postern: ${error}`, false);
    const change = error.includes('scope')
      ? 'auth.oidc.scopes, or the scopes that the client may have at the provider'
      : 'the settings of the client at the provider: the code flow, with PKCE';
    return finding(sent, expected, `back to Postern: ${words}`, change);
  }
  const change = `the client of auth.oidc.client_id at the provider must have the redirect URI ${callback}`;
  if (failure !== undefined) return finding(sent, expected, failure, change);
  // An error page, for errors that must not redirect (RFC 6749, 4.1.2.1).
  if (status >= 400) return finding(sent, expected, `a page of the provider with status ${status}`, change);
  if (error !== undefined) return finding(sent, expected, `a page of the provider: ${words}`, change);
  const seen =
    location === undefined
      ? `a page of the provider with status ${status}`
      : `to ${location.origin}${location.pathname}`;
  return info(sent, `${seen}: whether the redirect URI is registered shows at the first login alone`);
}

/** The provider accepts the client secret: it rejects the wrong code, and not the client. */
export const secret: ProviderCheck = {
  name: 'oidc-client-secret',
  needs: 'metadata',
  run: async (examination) => {
    const { oidc, metadata } = examination;
    const endpoint = textIn(metadata, 'token_endpoint');
    if (endpoint === undefined) return [];
    const methods = listIn(metadata, 'token_endpoint_auth_methods_supported');
    const method = methodOf(methods);
    const other = method === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
    const answer = await askForTokens(endpoint, method, examination);
    const finding = tokenFinding(answer, method, oidc.clientSecret);
    if (finding.result !== 'FAULT') return [finding];
    const otherwise = await askForTokens(endpoint, other, examination);
    if (errorOf(otherwise) !== 'invalid_grant') return [finding];
    return [
      {
        ...finding,
        change: `the client at the provider proves itself by ${other}: set its token_endpoint_auth_method to ${method}`,
      },
    ];
  },
};

type Method = 'client_secret_basic' | 'client_secret_post';

/** The same choice as the gate's. */
function methodOf(known: readonly string[] | undefined): Method {
  const takesHeader = known === undefined || known.includes('client_secret_basic');
  return takesHeader || !known.includes('client_secret_post') ? 'client_secret_basic' : 'client_secret_post';
}

function askForTokens(
  endpoint: string,
  method: Method,
  { ask, oidc: { clientId, clientSecret }, addresses }: ProviderExamination,
): Promise<ProviderAnswer> {
  const form = {
    grant_type: 'authorization_code',
    code: 'postern-doctor-asks',
    redirect_uri: addresses.callback,
    code_verifier: verifier,
  };
  if (method === 'client_secret_post')
    return ask(endpoint, { form: { ...form, client_id: clientId, client_secret: clientSecret } });
  // RFC 6749, 2.3.1: both parts are encoded as in a form.
  const pair = [clientId, clientSecret].map((part) => new URLSearchParams({ '': part }).toString().slice(1));
  const authorization = `Basic ${Buffer.from(pair.join(':')).toString('base64')}`;
  return ask(endpoint, { headers: { authorization }, form });
}

function errorOf(answer: ProviderAnswer): string | undefined {
  return textIn(fieldsOf(answer) ?? {}, 'error');
}

function tokenFinding(answer: ProviderAnswer, method: Method, secret: string): Finding {
  const [sent, expected] = [`a wrong code to the token endpoint, by ${method}`, 'invalid_grant'];
  const said = fieldsOf(answer) ?? {};
  const words = errorWords((name) => textIn(said, name), secret);
  const seen = answer.failure ?? (words || `status ${answer.status}`);
  const error = errorOf(answer) ?? '';
  // Some providers have error codes of their own: one that rejects the code has accepted the secret.
  if (error === 'invalid_grant' || /\bcode\b/i.test(error))
    return finding(sent, expected, seen.slice(0, 60), false);
  return answer.status === 401 || /client/i.test(error)
    ? finding(
        sent,
        expected,
        seen,
        'auth.oidc.client_id and auth.oidc.client_secret, as the provider has them',
      )
    : info(sent, `${seen}: whether the secret is right shows at the first login alone`);
}

/** The keys of the provider can be read, and at least one can verify the signature of an ID token. */
export const keys: ProviderCheck = {
  name: 'oidc-keys',
  needs: 'metadata',
  run: async ({ metadata, ask }) => {
    const url = textIn(metadata, 'jwks_uri');
    if (url === undefined)
      return [finding('jwks_uri', 'an address', 'none', 'the provider must say jwks_uri')];
    const answer = await ask(url, { headers: { accept: 'application/json' } });
    const keys = fieldsOf(answer)?.['keys'];
    const sent = `GET ${url}`;
    if (answer.status !== 200 || !Array.isArray(keys)) {
      const change = 'the provider must let everyone read its public keys';
      return [finding(sent, '200 and keys', answer.failure ?? String(answer.status), change)];
    }
    const usable = keys.filter(isUsable).length;
    const change = usable === 0 && 'a signing key (RSA or EC) at the provider';
    return [finding(sent, 'keys that verify signatures', `${usable} of ${keys.length}`, change)];
  },
};

function isUsable(key: unknown): boolean {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, use } = key as Fields;
  if (use === 'enc' || (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP')) return false;
  try {
    createPublicKey({ key: key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

/** Seconds by which the provider's clock may differ from the gate's. */
const tolerance = 30;

/** The provider's clock agrees with this machine's: ID tokens depend on both. */
export const clock: ProviderCheck = {
  name: 'oidc-clock',
  needs: 'metadata',
  run: async ({
    discovery: {
      answer: { date },
      at,
    },
  }) => {
    const sent = 'the header Date';
    if (date === undefined) return [info(sent, 'no such header: the clocks were not compared')];
    // The header has whole seconds.
    const ahead = Math.round((date - at) / 1_000);
    const change = Math.abs(ahead) > tolerance && 'a time service (NTP) on both machines';
    return [finding(sent, 'within 30 seconds', `${ahead} seconds ahead`, change)];
  },
};
