import { mayEverything } from '../../../src/policy/capability.ts';
import { expect, test } from 'vitest';
import type { CurrentRuntime } from '../../../src/api/permit.ts';
import { requestPermit } from '../../../src/api/permit.ts';
import type { RequestFacts } from '../../../src/api/environment.ts';
import type { Allowed } from '../../../src/policy/decision.ts';
import { plainIdentity } from '../../../src/policy/identity.ts';
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
