import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strippedHeaders } from '../../src/http/reverse-proxy/upstream-headers.ts';
import { fromHeaderValue, identityHeaders } from '../../src/policy/identity-headers.ts';
import { headerAlias } from '../../src/policy/raw-headers.ts';
import type { FeatureName } from '../../src/policy/features.ts';
import { frontNames, startFronts, type FrontName, type Fronts, type Outcome } from '../support/fronts.ts';
import { adminOf, goodPassword } from '../support/log-in.ts';
import type { RawRequest } from '../support/raw-http.ts';
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
  /** @param features a section of config.yml */
  readonly start: (features: object) => Promise<Fronts>;
  readonly classes: Readonly<Record<string, readonly Row[]>>;
  /** The feature whose credentials are sent; undefined: none's. */
  readonly by?: FeatureName;
}

const attacked: readonly Attacked[] = [
  {
    name: 'users of a proxy',
    start: (features) => startFronts({ config: { ...attackConfig, features } }),
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
    start: (features) => startFronts({ config: { ...roleNamesConfig, features } }),
    classes: { 'that are no role': roleNameRows },
  },
  {
    name: 'no default role',
    start: (features) => startFronts({ config: { ...noDefaultConfig, features } }),
    classes: { 'and no mapped one': noDefaultRows },
  },
  {
    name: 'roles',
    start: (features) => startFronts({ config: { ...scheduleConfig, features } }),
    classes: { 'with schedules': scheduleRows },
  },
  { name: 'roles', start: startWithMay, classes: { 'and what they may do': mayRows } },
  { name: 'accounts', start: startWithAccounts, classes: { 'by tokens': tokenRows } },
  { name: 'accounts', start: startWithSessions, classes: { 'by sessions of others': sessionRows } },
  {
    name: 'accounts',
    start: startWithApiTokens,
    classes: { 'by API tokens': apiTokenRows },
    by: 'api_tokens',
  },
  { name: 'accounts', start: startWithDisplays, classes: { 'by displays': displayRows }, by: 'displays' },
];

/**
 * Declares a test for each row and front.
 * @param chosen fronts; all of them by default
 * @param off features that are switched off: what they give to those who ask must be refused, and all the rest stays as it is
 */
export function testCorpus(
  chosen: readonly FrontName[] = frontNames,
  off: readonly FeatureName[] = [],
): void {
  const features = Object.fromEntries(off.map((name) => [name, false]));
  describe.each(attacked)('$name', ({ start, classes, by }) => {
    let fronts: Fronts;
    beforeAll(async () => {
      fronts = await start(features);
    });
    afterAll(() => fronts.close());

    const isOff = by !== undefined && off.includes(by);
    // Quick: a feature that is off changes least for those who bring none of its credentials.
    const isSampled = (front: FrontName) =>
      isQuick && (front !== 'embedded front' || (off.length > 0 && by === undefined));
    const rowsOf = Object.entries(classes).flatMap(([name, rows]) =>
      chosen.map((front) => [name, front, isSampled(front) ? sampleOf(rows) : rows] as const),
    );
    describe.each(rowsOf)('%s, %s', (_, front, rows) => {
      test.each(rows)('$name', async ({ entryPoint = 'authenticated', request, expect: expected, but }) => {
        const sent = typeof request === 'function' ? request() : request;
        const outcome = await fronts.send(front, entryPoint, sent);
        const usual = but?.[front] ?? expected;
        if (isOff && entryPoint === 'authenticated') checkOff(sent, usual, outcome);
        else check(usual, outcome);
      });
    });
  });
}

/** Without the feature a credential of it is none: what it opened needs a sign-in, and a session beside it counts. */
function checkOff({ headers = [] }: RawRequest, usual: Expected, outcome: Outcome): void {
  const has = (name: string, value: RegExp) =>
    headers.some(([key, text]) => key.toLowerCase() === name && value.test(text));
  if (has('cookie', /(?:^|; )session_token=ey/) && !has('authorization', /^bearer /i)) {
    check({ user: 'vera', role: 'viewer' }, outcome);
  } else if (typeof usual === 'object') {
    expect([303, 401]).toContain(outcome.status);
    expect(outcome.reached).toEqual([]);
  } else check(usual, outcome);
}

/** One row in eight: the other fronts hand the same request to the same decision. */
function sampleOf(rows: readonly Row[]): readonly Row[] {
  return rows.filter((_, index) => index % 8 === 0);
}

/** Own accounts: admin, and the viewer vera. */
async function startWithAccounts(features: object): Promise<Fronts> {
  const fronts = await startFronts({ config: { features }, environment: { SERVICE_JWT_SECRET: jwtSecret } });
  const admin = await adminOf(fronts.gateway);
  await admin.send('POST', '/api/users', { username: 'vera', password: goodPassword, role: 'viewer' });
  return fronts;
}

/** Sessions of vera, of the viewer olaf, and of anna, who has a custom role. */
async function startWithSessions(features: object): Promise<Fronts> {
  const fronts = await startFronts({
    config: { auth: { roles: { front: ['front_door'] } }, features },
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
    expect(outcome.status).toBe(expected.status ?? 200);
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
