import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strippedHeaders } from '../../src/http/reverse-proxy/upstream-headers.ts';
import { fromHeaderValue, identityHeaders } from '../../src/policy/identity-headers.ts';
import { headerAlias } from '../../src/policy/raw-headers.ts';
import { frontNames, startFronts, type Fronts, type Outcome } from '../support/fronts.ts';
import { adminOf, goodPassword } from '../support/log-in.ts';
import type { ReachedRequest } from '../support/recording-upstream.ts';
import { apiTokenRows, startWithApiTokens } from './api-token-rows.ts';
import { identityHeaderRows } from './identity-header-rows.ts';
import { internalHostRows } from './internal-host-rows.ts';
import { methodRows } from './method-rows.ts';
import { monitoringRows } from './monitoring-rows.ts';
import { recorderRows } from './recorder-rows.ts';
import { attackConfig, type Expected, type Passes, type Row } from './row.ts';
import { sessionRows, victimToken } from './session-rows.ts';
import { targetRows } from './target-rows.ts';
import { jwtSecret, tokenRows } from './token-rows.ts';
import { scheduleConfig, scheduleRows } from './window-rows.ts';

interface AttackClass {
  readonly name: string;
  readonly start: () => Promise<Fronts>;
  readonly rows: readonly Row[];
}

const classes: readonly AttackClass[] = [
  { name: 'identity headers', start: () => startFronts({ config: attackConfig }), rows: identityHeaderRows },
  { name: 'targets', start: () => startFronts({ config: attackConfig }), rows: targetRows },
  { name: 'roads to a camera', start: () => startFronts({ config: attackConfig }), rows: recorderRows },
  { name: 'health and metrics', start: () => startFronts({ config: attackConfig }), rows: monitoringRows },
  {
    name: 'schedules of roles',
    start: () => startFronts({ config: scheduleConfig }),
    rows: scheduleRows,
  },
  { name: 'methods', start: () => startFronts({ config: attackConfig }), rows: methodRows },
  {
    name: 'hosts of the internal entry point',
    start: () => startFronts({ config: attackConfig }),
    rows: internalHostRows,
  },
  { name: 'tokens', start: startWithAccounts, rows: tokenRows },
  { name: 'sessions of others', start: startWithSessions, rows: sessionRows },
  { name: 'API tokens', start: startWithApiTokens, rows: apiTokenRows },
];

describe.each(classes)('$name', ({ start, rows }) => {
  let fronts: Fronts;
  beforeAll(async () => {
    fronts = await start();
  });
  afterAll(() => fronts.close());

  describe.each(frontNames)('%s', (front) => {
    test.each(rows)('$name', async ({ entryPoint = 'authenticated', request, expect: expected, but }) => {
      const outcome = await fronts.send(
        front,
        entryPoint,
        typeof request === 'function' ? request() : request,
      );
      check(but?.[front] ?? expected, outcome);
    });
  });
});

/** Own accounts: admin, and the viewer vera. */
async function startWithAccounts(): Promise<Fronts> {
  const fronts = await startFronts({ environment: { SERVICE_JWT_SECRET: jwtSecret } });
  const admin = await adminOf(fronts.gateway);
  await admin.send('POST', '/api/users', { username: 'vera', password: goodPassword, role: 'viewer' });
  return fronts;
}

/** Sessions of vera, of the viewer olaf, and of anna, who has a custom role. */
async function startWithSessions(): Promise<Fronts> {
  const fronts = await startFronts({
    config: { auth: { roles: { front: ['front_door'] } } },
    environment: { SERVICE_JWT_SECRET: jwtSecret },
  });
  const admin = await adminOf(fronts.gateway);
  for (const [username, role] of [
    ['vera', 'viewer'],
    ['olaf', 'viewer'],
    ['anna', 'front'],
  ])
    await admin.send('POST', '/api/users', { username, password: goodPassword, role });
  const headers = [['Authorization', `Bearer ${victimToken()}`]] as const;
  const { body } = await fronts.send('embedded front', 'authenticated', {
    uri: '/postern/api/sessions',
    headers,
  });
  expect(body).toContain('the-session-of-vera');
  return fronts;
}

function check(expected: Expected, outcome: Outcome): void {
  if (expected === 'refused') {
    expect(outcome.status).toBeGreaterThanOrEqual(400);
    expect(outcome.status).toBeLessThan(500);
    expect(outcome.reached ?? []).toEqual([]);
    expect(outcome.headers.get('remote-user')).toBeUndefined();
  } else if (expected === 'answered') {
    expect(outcome.reached ?? []).toEqual([]);
  } else if (outcome.reached === undefined) {
    expect(outcome.status).toBe(200);
    expect(
      identityIn([...outcome.headers].flatMap(([name, values]) => values.flatMap((value) => [name, value]))),
    ).toMatchObject(asHeaders(expected));
  } else {
    expect(outcome.status).toBe(200);
    expect(outcome.reached).toHaveLength(1);
    expectOnlyOurs(outcome.reached?.[0] as ReachedRequest, expected);
    if (expected.target !== undefined) expect(outcome.reached?.[0]?.uri).toBe(expected.target);
  }
}

function asHeaders({ user, role }: Passes) {
  return { 'remote-user': [user], 'remote-role': [role] };
}

/** Values of the headers that an upstream could take for an identity, aliases included. */
function identityIn(rawHeaders: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const alias = headerAlias(rawHeaders[i] as string);
    if (!isIdentity.has(alias)) continue;
    (found[alias] ??= []).push(fromHeaderValue(rawHeaders[i + 1] as string) ?? 'not UTF-8');
  }
  return found;
}
const isIdentity = new Set<string>(identityHeaders);

const setByFronts = new Set(['host', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']);

function expectOnlyOurs({ rawHeaders }: ReachedRequest, expected: Passes): void {
  expect(identityIn(rawHeaders)).toMatchObject(asHeaders(expected));
  const stripped = strippedHeaders(new Set(trustedNames));
  const leaked = rawHeaders
    .filter((_, i) => i % 2 === 0)
    .filter((name) => stripped.has(headerAlias(name)))
    .filter((name) => !isIdentity.has(headerAlias(name)) && !setByFronts.has(name.toLowerCase()));
  expect(leaked).toEqual([]);
}

const trustedNames = [
  'x-forwarded-user',
  'x-forwarded-groups',
  'x-forwarded-email',
  'x-idp-uid',
  'x-authentik-username',
];
