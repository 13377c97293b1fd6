import { mayEverything } from '../../../src/policy/capability.ts';
import { expect, test } from 'vitest';
import type { CurrentRuntime } from '../../../src/api/permit.ts';
import { requestPermit } from '../../../src/api/permit.ts';
import type { RequestFacts } from '../../../src/api/environment.ts';
import type { Allowed } from '../../../src/policy/decision.ts';
import type { Session } from '../../../src/accounts/sessions/session-token.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';
import type { Roles } from '../../../src/policy/role-access.ts';
import type { Reading } from '../../../src/store/permit.ts';
import { clockAt } from '../../support/clock-at.ts';
import { rolesOf } from '../../support/roles.ts';
import { settings } from './api-dependencies.ts';

const identity = plainIdentity('root', 'admin', 'session');
const allowed: Allowed = { outcome: 'allow', reason: 'allowed', identity, grant: 'all', may: mayEverything };
const on = {} as Reading;
const facts = {
  incoming: {
    method: 'PUT',
    url: '/api/users/olaf/role',
    rawHeaders: ['Host', 'gate.local'],
    headers: {},
    socket: {},
  },
  entryPoint: 'authenticated',
  listener: 'client-facing',
  tls: false,
  path: '/api/users/olaf/role',
} as unknown as RequestFacts;

/** A runtime of these roles, whose transactions see other roles until it is replaced. */
function runtimes(ofTransaction: readonly Roles[]) {
  const seen = [...ofTransaction];
  const evaluatedBy: Roles[] = [];
  const made = (roles: Roles): CurrentRuntime => ({
    settings: { ...settings, rules: { ...settings.rules, roles } },
    answer: () => new Response(),
    renewRolesIn: async () => {
      const next = seen.shift();
      if (next !== undefined) runtime = made(next);
    },
    evaluateIn: async () => {
      evaluatedBy.push(roles);
      return { decision: allowed };
    },
  });
  let runtime = made(rolesOf([['former', ['front']]]));
  return { current: () => runtime, evaluatedBy };
}

const family = rolesOf([['family', ['front']]]);

test('permits a change by the roles that its transaction sees', async () => {
  const { current, evaluatedBy } = runtimes([family]);
  const permitted = await requestPermit(facts, { allowed, session: undefined }, current, clockAt(0))(on);
  expect([permitted.settings.rules.roles, evaluatedBy]).toEqual([family, [family]]);
});

test('a right that a reload takes while the decision runs is not used', async () => {
  const { current } = runtimes([]);
  const refused = { outcome: 'forbidden', reason: 'admin_only', identity: undefined } as const;
  const after: CurrentRuntime = { ...current(), evaluateIn: async () => ({ decision: refused }) };
  let runtime: CurrentRuntime = {
    ...current(),
    evaluateIn: async () => {
      runtime = after;
      return { decision: allowed };
    },
  };
  await expect(
    requestPermit(facts, { allowed, session: undefined }, () => runtime, clockAt(0))(on),
  ).rejects.toMatchObject({ decision: { reason: 'admin_only' } });
});

test('reports why a change that waited is refused, and when it opens', async () => {
  const { current } = runtimes([]);
  const refused = {
    outcome: 'forbidden',
    reason: 'role_outside_schedule',
    identity: undefined,
    opening: { opens: 5_000 },
  } as const;
  const closed = { ...current(), evaluateIn: async () => ({ decision: refused }) };
  await expect(
    requestPermit(facts, { allowed, session: undefined }, () => closed, clockAt(0))(on),
  ).rejects.toMatchObject({
    decision: { ...refused, identity },
  });
});

const of = (generation: string, authenticatedAt?: number) =>
  ({ user: { username: 'root', generation }, claims: { authenticatedAt } }) as unknown as Session;

/** A change that waited, with the identity and session of the moment at which it is written. */
const waited = (now: { readonly identity?: Identity; readonly session?: Session | undefined }) => {
  const { current } = runtimes([]);
  const decision: Allowed = { ...allowed, identity: now.identity ?? identity };
  const successor = { ...current(), evaluateIn: async () => ({ decision, session: now.session }) };
  return requestPermit(facts, { allowed, session: of('g1') }, () => successor, clockAt(1_000_000))(on);
};

test.each<[what: string, now: Parameters<typeof waited>[0], outcome: string, reason: string]>([
  ['another user', { identity: plainIdentity('eve', 'admin', 'session') }, 'forbidden', 'identity_changed'],
  ['another role', { identity: plainIdentity('root', 'viewer', 'session') }, 'forbidden', 'identity_changed'],
  ['another way', { identity: plainIdentity('root', 'admin', 'proxy') }, 'forbidden', 'identity_changed'],
  ['a later generation', { session: of('g2') }, 'unauthenticated', 'token_revoked'],
  ['no session', { session: undefined }, 'unauthenticated', 'token_revoked'],
])('a change that waited is refused to %s', async (_, now, outcome, reason) => {
  await expect(waited({ session: of('g1'), ...now })).rejects.toMatchObject({
    decision: { outcome, reason, identity },
  });
});

test('the proof that counts is the one of the moment of the change', async () => {
  const permission = await waited({ session: of('g1', 1_000_000) });
  expect(permission).toMatchObject({ actor: { by: 'root' } });
  expect(() => permission.requireProof()).not.toThrow();
  for (const authenticatedAt of [undefined, 1_000_000 - 600_001]) {
    const unproved = await waited({ session: of('g1', authenticatedAt) });
    expect(() => unproved.requireProof()).toThrow(expect.objectContaining({ code: 'step_up_needed' }));
    expect(() => unproved.grant('admin')).toThrow(expect.objectContaining({ code: 'step_up_needed' }));
    expect(unproved.grant('viewer')).toBe('viewer');
  }
});
