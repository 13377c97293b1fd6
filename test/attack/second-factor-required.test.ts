import { operations, ownRules } from '../support/every-endpoint.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/policy/decision.ts';
import { evaluate } from '../../src/policy/evaluate/evaluate.ts';
import { plainIdentity, type Identity } from '../../src/policy/identity.ts';
import { lockedRules, recorderRules } from '../../src/policy/recorder/access-rules.ts';
import { settings } from '../unit/api/api-dependencies.ts';
import { bodyOf, outcome, person, personOf } from '../support/factor-person.ts';
import { goodPassword as password } from '../support/log-in.ts';
import { startDelayedGate } from '../support/start-delayed-gate.ts';
import { accounts, auth } from './delayed-rows.ts';
import { assertCases } from '../support/assert-cases.ts';

/*
 * A role needs a second factor (auth.second_factor.required_for): a user without one sets one up, and can do nothing else.
 */

const start = (requiredFor: readonly string[]) =>
  startDelayedGate({
    ...accounts,
    auth: { ...auth, second_factor: { required_for: requiredFor } },
  });

/** All that is open until then, besides what is public. */
const open = [
  'GET /postern/account',
  'GET /api/profile',
  'GET /api/logout',
  'POST /api/logout',
  'GET /postern/api/sign-in-methods',
  'POST /postern/api/passkeys/options',
  'POST /postern/api/passkeys',
  'DELETE /postern/api/passkeys/*',
  'POST /postern/api/one-time-code/setup',
  'POST /postern/api/one-time-code',
  'DELETE /postern/api/one-time-code',
  'POST /postern/api/recovery-codes',
  'POST /postern/api/step-up/passkey-options',
  'POST /postern/api/step-up',
];

const rules = [...ownRules, ...lockedRules, ...recorderRules];

test('the rules that are open by then are those of the list', () => {
  const found = rules
    .filter(({ beforeSecondFactor }) => beforeSecondFactor === true)
    .flatMap(({ methods = ['ANY'], path }) => methods.map((method) => `${method} ${path}`))
    .filter((rule) => !rule.startsWith('HEAD '));
  // A logout needs no decision.
  expect(found.toSorted()).toEqual(open.filter((rule) => !rule.endsWith('/api/logout')).toSorted());
});

describe('for every path, method and role', () => {
  const segment = fc.constantFrom(
    'front',
    'garage',
    'admin',
    'x',
    '..',
    '%2e%2e',
    'a%2Fb',
    '',
    'account',
    'api',
  );
  const path = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...rules.map((rule) => rule.path)),
        fc.array(segment, { minLength: 6, maxLength: 6 }),
      )
      .map(([pattern, parts]) => {
        let at = 0;
        return pattern.replaceAll(/\*\*|\*|:\w+/g, () => parts[at++ % parts.length] ?? '');
      }),
    fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
  );
  const asked = fc.record({
    path,
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'get'),
    query: fc.constantFrom('', '?cameras=front', '?next=/postern/account'),
    role: fc.constantFrom('admin', 'viewer', 'family'),
    source: fc.constantFrom('session' as const, 'bearer' as const),
  });
  const isListed = (method: string, uri: string) =>
    open.some((rule) => {
      const [ofRule = '', pattern = ''] = rule.split(' ');
      const isMethod = method === ofRule || (method === 'HEAD' && ofRule === 'GET');
      return isMethod && new RegExp(`^${pattern.replace('*', '[^/]*')}$`).test(uri);
    });

  test('it is public, on the list, or refused', () => {
    assertCases(
      fc.property(asked, ({ path: uri, method, query, role, source }) => {
        const request = {
          entryPoint: 'authenticated' as const,
          front: undefined,
          method,
          uri: uri + query,
          headers: [],
          host: undefined,
          secure: true,
        };
        const identity = plainIdentity('olaf', role, source);
        const decide = (to: Identity) => evaluate(request, { identity: to }, settings.rules);
        const isOpenTo = ({ outcome, reason }: Decision) => outcome === 'allow' && reason !== 'public';
        // Paths that are refused anyway prove nothing.
        if (!isOpenTo(decide(identity))) return;
        const decision = decide({ ...identity, restricted: 'second_factor' });
        expect(isOpenTo(decision) && !isListed(method, decision.path ?? ''), `${method} ${uri}`).toBe(false);
      }),
      { numRuns: 2_000, reaching: 0.1 },
    );
  });
});

test('every endpoint of the gate refuses, but for those of the list', async () => {
  const gate = await start(['admin']);
  const boss = await person(gate, 'boss', 'admin');
  const answered: string[] = [];
  for (const { method, path, audience } of operations) {
    if (audience === 'anyone') continue;
    const uri = path.replaceAll(/\{\w+\}/g, 'x');
    const body = method === 'get' ? undefined : {};
    const answer = await boss.send(method.toUpperCase(), uri, body);
    if (outcome(answer) !== '403 forbidden')
      answered.push(`${method.toUpperCase()} ${path.replace(/\{\w+\}/, '*')}`);
  }
  const pages = new Set(['GET /postern/account', 'GET /api/logout', 'POST /api/logout']);
  expect(answered.toSorted()).toEqual(open.filter((rule) => !pages.has(rule)).toSorted());
  const reasons = new Set(gate.log.filter(({ event }) => event === 'refused').map(({ reason }) => reason));
  expect([...reasons]).toEqual(['second_factor_missing']);
});

describe('a role that needs a second factor', () => {
  test('lets the login in, to set one up, and everything follows', async () => {
    const gate = await start(['viewer']);
    const first = await person(gate, 'olaf');
    const login = await personOf(gate, 'olaf').logIn('olaf', password);
    expect(bodyOf(login)['second_factor']).toBe('set_up');
    expect(outcome(await first.send('GET', '/postern/api/cameras'))).toBe('403 forbidden');
    expect((await first.methods()).required).toBe(true);
    const { secret } = await first.setUpCode();
    expect(outcome(await first.send('GET', '/postern/api/cameras'))).toBe('200');
    const next = personOf(gate, 'olaf');
    const answer = await next.finish(await next.begin(), { code: next.code(secret) });
    expect(bodyOf(answer)).not.toHaveProperty('second_factor');
    expect(outcome(await next.send('GET', '/postern/api/cameras'))).toBe('200');
    await next.send('DELETE', '/postern/api/one-time-code');
    expect(outcome(await next.send('GET', '/postern/api/cameras'))).toBe('403 forbidden');
  });

  test('that starts to need one stops open sessions, bearers too, and leaves API tokens alone', async () => {
    const gate = await start([]);
    const olaf = await person(gate, 'olaf');
    const made = await olaf.send('POST', '/postern/api/tokens', { name: 'script', role: 'viewer' });
    const { token } = bodyOf(made);
    const bearer = (value: string | undefined) => [['Authorization', `Bearer ${value}`]] as const;
    expect(outcome(await olaf.send('GET', '/postern/api/cameras'))).toBe('200');
    gate.reload({ ...accounts, auth: { ...auth, second_factor: { required_for: ['viewer'] } } });
    expect(outcome(await olaf.send('GET', '/postern/api/cameras'))).toBe('403 forbidden');
    const ask = (value: string | undefined) =>
      personOf(gate, 'olaf').send('GET', '/postern/api/cameras', undefined, bearer(value));
    expect(outcome(await ask(olaf.token))).toBe('403 forbidden');
    expect(outcome(await ask(token))).toBe('200');
  });
});
