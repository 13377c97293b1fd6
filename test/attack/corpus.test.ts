import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strippedHeaders } from '../../src/edge/upstream-headers.ts';
import { fromHeaderValue, identityHeaders } from '../../src/identity-headers.ts';
import { headerAlias } from '../../src/policy/raw-headers.ts';
import { frontNames, startFronts, type FrontName, type Fronts, type Outcome } from '../support/fronts.ts';
import type { ReachedRequest } from '../support/recording-upstream.ts';
import { identityHeaderRows } from './identity-header-rows.ts';
import { attackConfig, type Expected, type Passes } from './row.ts';
import { targetRows } from './target-rows.ts';

let fronts: Fronts;
beforeAll(async () => {
  fronts = await startFronts({ config: attackConfig });
});
afterAll(() => fronts.close());

describe.each(frontNames)('%s', (front) => {
  describe.each([
    ['identity headers', identityHeaderRows],
    ['targets', targetRows],
  ] as const)('%s', (_, rows) => {
    test.each(rows)('$name', async ({ edge = 'authenticated', request, expect: expected, but }) => {
      const outcome = await fronts.send(front, edge, request);
      check(front, but?.[front] ?? expected, outcome);
    });
  });
});

function check(front: FrontName, expected: Expected, outcome: Outcome): void {
  if (expected === 'refused') {
    expect(outcome.status).toBeGreaterThanOrEqual(400);
    expect(outcome.status).toBeLessThan(500);
    expect(outcome.reached ?? []).toEqual([]);
    expect(outcome.headers.get('remote-user')).toBeUndefined();
  } else if (expected === 'answered') {
    expect(outcome.reached ?? []).toEqual([]);
  } else if (front === 'gateway') {
    expect(outcome.status).toBe(200);
    expect(
      identityIn([...outcome.headers].flatMap(([name, values]) => values.flatMap((value) => [name, value]))),
    ).toMatchObject(asHeaders(expected));
  } else {
    expect(outcome.status).toBe(200);
    expect(outcome.reached).toHaveLength(1);
    expectOnlyOurs(outcome.reached?.[0] as ReachedRequest, expected);
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
