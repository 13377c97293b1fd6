import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { sessionCookie } from '../../../src/accounts/sessions/session-cookie.ts';
import type { IssuedToken } from '../../../src/accounts/sessions/sessions.ts';
import type { ApiContext, ApiEnvironment } from '../../../src/api/environment.ts';
import { redirectWithin, requireSameSite, sessionCookieHeader, siteUrl } from '../../../src/api/request.ts';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import { networksOf } from '../../../src/policy/client-address.ts';
import { sessionSettings } from './ask-endpoint.ts';

const settings = { ...sessionSettings, isTrustedProxy: networksOf(['192.0.2.0/24']) };

interface Asked {
  readonly url?: string;
  readonly headers?: readonly string[];
  readonly address?: string;
}

/** Does something with a request that came by a trusted proxy. */
async function within<T>(
  { url = '/', headers = [], address = '192.0.2.1' }: Asked,
  work: (c: ApiContext) => T,
) {
  const results: Array<Awaited<T>> = [];
  const app = new Hono<ApiEnvironment>().all('/*', async (c) => {
    const result = await work(c as ApiContext);
    results.push(result);
    return result instanceof Response ? result : c.body(null);
  });
  app.onError((error, c) => c.text(error.message, 500));
  const rawHeaders = ['Host', 'gate.test', ...headers];
  const env = {
    incoming: { method: 'GET', url, headers: {}, rawHeaders, socket: { remoteAddress: address } },
    path: url.split('?', 1)[0],
    listener: 'client-facing',
    tls: false,
  };
  const answer = await app.request('http://gate.test/', undefined, env);
  return { answer, results };
}

const https = ['X-Forwarded-Proto', 'https', 'X-Forwarded-Host', 'cameras.example'];

test.each<[what: string, headers: readonly string[], isRefused: boolean]>([
  ['its own page', ['Sec-Fetch-Site', 'same-origin', 'Origin', 'http://gate.test'], false],
  ['a program', [], false],
  ['a page of another site', ['Sec-Fetch-Site', 'cross-site', 'Origin', 'https://evil.example'], true],
  ['another page of the domain', ['Sec-Fetch-Site', 'same-site', 'Origin', 'https://x.gate.test'], true],
  ['an old browser on another page', ['Origin', 'https://evil.example'], true],
])('a request of %s', async (_, headers, isRefused) => {
  const recorded: AuditEntry[] = [];
  const audit = { record: async (entry: AuditEntry) => void recorded.push(entry) };
  const { results } = await within({ url: '/postern/api/login', headers }, (c) =>
    requireSameSite(c, { settings, audit }),
  );
  expect(results).toHaveLength(isRefused ? 0 : 1);
  const refusal = {
    event: 'refused',
    reason: 'cross_site',
    object: '/postern/api/login',
    address: '192.0.2.1',
  };
  expect(recorded).toMatchObject(isRefused ? [refusal] : []);
});

test.each<[url: string, headers: readonly string[], location: string]>([
  ['/postern?a=1&b=?', [], '/postern/live?a=1&b=?'],
  ['/postern', [], '/postern/live'],
  ['/postern?', ['X-Forwarded-Prefix', '/cameras'], '/cameras/postern/live?'],
])('%s with %j leads to %s', async (url, headers, location) => {
  const { answer } = await within({ url, headers }, (c) => redirectWithin(c, settings, '/postern/live', 308));
  expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
});

test.each<[what: string, asked: Asked, publicUrl: string | undefined, url: string]>([
  ['plain', {}, undefined, 'http://gate.test'],
  ['behind a proxy', { headers: https }, undefined, 'https://cameras.example'],
  ['for someone who says so', { headers: https, address: '198.51.100.7' }, undefined, 'http://gate.test'],
  ['with a public URL', { headers: https }, 'https://home.example', 'https://home.example'],
  ['with no possible host', { headers: ['X-Forwarded-Host', 'a b'] }, undefined, ''],
])('the address of the site, %s', async (_, asked, publicUrl, url) => {
  const { results } = await within(asked, (c) => siteUrl(c, settings, publicUrl));
  expect(results).toEqual([url]);
});

test.each([
  ['by HTTPS', https, '; Secure'],
  ['by HTTP', [], ''],
])('the cookie of a session is set and cleared %s', async (_, headers, secure) => {
  const noted: object[] = [];
  const header = sessionCookieHeader(
    sessionCookie('session_token'),
    { noteIssued: (claims) => void noted.push(claims) },
    settings,
  );
  const claims = { sessionId: 's' };
  const issued = { token: 't', maxAgeSeconds: 60, claims } as unknown as IssuedToken;
  const set = await within({ headers }, (c) => header.set(c, issued));
  const cleared = await within({ headers }, (c) => header.clear(c));
  expect([set, cleared].map(({ answer }) => answer.headers.get('set-cookie'))).toEqual([
    `session_token=t; Max-Age=60; Path=/; HttpOnly; SameSite=Lax${secure}`,
    `session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`,
  ]);
  expect(noted).toEqual([claims]);
});
