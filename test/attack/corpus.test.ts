import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strippedHeaders } from '../../src/http/reverse-proxy/upstream-headers.ts';
import { fromHeaderValue, identityHeaders } from '../../src/policy/identity-headers.ts';
import { headerAlias } from '../../src/policy/raw-headers.ts';
import { frontNames, startFronts, type Fronts, type Outcome } from '../support/fronts.ts';
import { adminOf, goodPassword } from '../support/log-in.ts';
import type { ReachedRequest } from '../support/recording-upstream.ts';
import { isQuick } from '../support/tier.ts';
import { apiTokenRows, startWithApiTokens } from './api-token-rows.ts';
import { displayRows, startWithDisplays } from './display-rows.ts';
import { identityHeaderRows } from './identity-header-rows.ts';
import { internalHostRows } from './internal-host-rows.ts';
import { mayRows, startWithMay } from './may-rows.ts';
import { methodRows } from './method-rows.ts';
import { monitoringRows } from './monitoring-rows.ts';
import { noDefaultConfig, noDefaultRows, roleNameRows, roleNamesConfig } from './no-role-rows.ts';
import { recorderRows } from './recorder-rows.ts';
import { attackConfig, type Expected, type Passes, type Row } from './row.ts';
import { sessionRows, victimToken } from './session-rows.ts';
import { targetRows } from './target-rows.ts';
import { jwtSecret, tokenRows } from './token-rows.ts';
import { scheduleConfig, scheduleRows } from './schedule-rows.ts';

/** What is attacked, started once, and the rows of each class of attacks. */
interface Attacked {
  readonly name: string;
  readonly start: () => Promise<Fronts>;
  readonly classes: Readonly<Record<string, readonly Row[]>>;
}

const attacked: readonly Attacked[] = [
  {
    name: 'users of a proxy',
    start: () => startFronts({ config: attackConfig }),
    classes: {
      'identity headers': identityHeaderRows,
      targets: targetRows,
      'roads to a camera': recorderRows,
      'health and metrics': monitoringRows,
      methods: methodRows,
      'hosts of the internal entry point': internalHostRows,
    },
  },
  {
    name: 'role names',
    start: () => startFronts({ config: roleNamesConfig }),
    classes: { 'that are no role': roleNameRows },
  },
  {
    name: 'no default role',
    start: () => startFronts({ config: noDefaultConfig }),
    classes: { 'and no mapped one': noDefaultRows },
  },
  {
    name: 'roles',
    start: () => startFronts({ config: scheduleConfig }),
    classes: { 'with schedules': scheduleRows },
  },
  { name: 'roles', start: startWithMay, classes: { 'and what they may do': mayRows } },
  { name: 'accounts', start: startWithAccounts, classes: { 'by tokens': tokenRows } },
  { name: 'accounts', start: startWithSessions, classes: { 'by sessions of others': sessionRows } },
  { name: 'accounts', start: startWithApiTokens, classes: { 'by API tokens': apiTokenRows } },
  { name: 'accounts', start: startWithDisplays, classes: { 'by displays': displayRows } },
];

describe.each(attacked)('$name', ({ start, classes }) => {
  let fronts: Fronts;
  beforeAll(async () => {
    fronts = await start();
  });
  afterAll(() => fronts.close());

  const rowsOf = Object.entries(classes).flatMap(([name, rows]) =>
    frontNames.map(
      (front) => [name, front, isQuick && front !== 'embedded front' ? sampleOf(rows) : rows] as const,
    ),
  );
  describe.each(rowsOf)('%s, %s', (_, front, rows) => {
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

/** One row in eight: the other fronts hand the same request to the same decision. */
function sampleOf(rows: readonly Row[]): readonly Row[] {
  return rows.filter((_, index) => index % 8 === 0);
}

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

const setByFronts = new Set([
  'host',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-postern-hops',
]);

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
