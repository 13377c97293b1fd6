import { apiToken as byApiToken } from '../../../src/features/api-tokens/strategy.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import type { Authorization } from '../../../src/access/authorize.ts';
import type { CurrentRoles } from '../../../src/access/current-roles.ts';
import type { RequestContext } from '../../../src/policy/request-context.ts';
import type { Roles } from '../../../src/policy/role-access.ts';
import { prepareRoleResolution } from '../../../src/policy/role-map.ts';
import { clockAt } from '../../support/clock-at.ts';
import { rolesOf } from '../../support/roles.ts';
import { apiDependencies, authorizationOf, settings, type Changes } from '../api/api-dependencies.ts';

const request: RequestContext = {
  entryPoint: 'authenticated',
  method: 'GET',
  uri: '/api/front/latest.jpg',
  headers: ['Remote-User', 'olaf', 'Remote-Groups', 'family'],
  host: 'gate.local',
  secure: true,
};
const bearer = ['Authorization', 'Bearer t0ken'];
const apiBearer = ['Authorization', `Bearer postern_${'a'.repeat(43)}`];

/** The roles in the store, and whether it answers. */
let stored: Roles;
let isAway: boolean;
let renewals: number;
/** The pipeline, by the roles that were read last. */
/** By the roles of a runtime. */
type ChangesBy = (roles: Roles) => Changes;
let current: Authorization;
let known: Roles;
let changes: ChangesBy;

const make = (roles: Roles): Authorization => {
  const currentRoles: CurrentRoles = {
    areCurrent: () => roles === stored && !isAway,
    renew: async () => {
      renewals += 1;
      if (isAway) throw new AppError('store_unavailable');
      if (known !== stored) current = make((known = stored));
      return current;
    },
  };
  const { dependencies } = apiDependencies({
    clock: clockAt(0),
    rules: { ...settings.rules, roles },
    proxyIdentity: {
      ...settings.proxyIdentity,
      ...prepareRoleResolution({
        separator: ',',
        roleMap: undefined,
        defaultRole: undefined,
        roles,
      }),
    },
    ...changes(roles),
  });
  return authorizationOf({ ...dependencies, currentRoles });
};
const narrow = () => (stored = rolesOf([['family', ['garage']]]));
const session = (role: string) => (): Changes => ({
  mode: 'session',
  sessions: {
    ...apiDependencies().dependencies.sessions,
    recall: () => ({
      user: {
        username: 'olaf',
        role,
        generation: 'g',
        notBefore: 0,
        issuer: undefined,
        hasSecondFactor: false,
      },
      claims: { username: 'olaf', issuedAt: 0, expiresAt: 1e15, sessionId: 's', generation: 'g' },
      expiresAt: 1e15,
      lastSeenAt: 0,
    }),
    isDue: () => false,
  },
});
const apiToken = (role: string) => {
  const found = {
    id: 'token',
    name: 'script',
    owner: 'olaf',
    ownerRole: 'family',
    isOwnerBlocked: false,
    ownerIssuer: undefined,
    role,
    cameras: undefined,
    createdAt: 0,
    expiresAt: undefined,
  };
  return (roles: Roles): Changes => ({
    mode: 'session',
    identify: {
      bearer: byApiToken(
        { recall: () => ({ apiToken: found }), check: async () => ({ apiToken: found }) },
        { roles, issuer: undefined, isProtected: () => true },
      ),
    },
  });
};

beforeEach(() => {
  stored = rolesOf([['family', ['front']]]);
  isAway = false;
  renewals = 0;
  changes = () => ({});
});
const begin = () => (current = make((known = stored)));

test('decides while the roles are current, and does not read them again', async () => {
  expect(await begin().authorize(request)).toMatchObject({
    decision: { outcome: 'allow', reason: 'allowed' },
  });
  expect(renewals).toBe(0);
});

describe.each<[who: string, asked: Partial<RequestContext>, changed: ChangesBy]>([
  ['a proxy names the role', {}, () => ({})],
  ['a session has it', { headers: bearer }, session('family')],
  ['an API token has it', { headers: apiBearer }, apiToken('family')],
])('%s', (_, asked, changed) => {
  test('applies a narrowed role to the next decision, in the former runtime too', async () => {
    changes = changed;
    const former = begin();
    narrow();
    for (const { authorize } of [former, former, current])
      expect(await authorize({ ...request, ...asked })).toMatchObject({
        decision: { outcome: 'forbidden', reason: 'camera_not_granted' },
      });
    expect(await former.authorize({ ...request, ...asked, uri: '/api/garage/latest.jpg' })).toMatchObject({
      decision: { outcome: 'allow', grant: new Set(['garage']) },
    });
  });

  test('refuses if the store is unavailable', async () => {
    changes = changed;
    const { authorize, evaluate } = begin();
    isAway = true;
    for (const decide of [authorize, evaluate])
      expect(await decide({ ...request, ...asked })).toMatchObject({
        decision: { outcome: 'forbidden', reason: 'store_unavailable', identity: undefined },
      });
    isAway = false;
    expect(await authorize({ ...request, ...asked })).toMatchObject({ decision: { outcome: 'allow' } });
  });

  test('decides again if the roles changed while it waited', async () => {
    changes = (roles) => ({
      ...changed(roles),
      roundRobin: { ...apiDependencies().dependencies.roundRobin },
    });
    const { authorize } = begin();
    // A long query is looked up first, and decided later.
    const waiting = authorize({ ...request, ...asked, uri: `${request.uri}?x=${'y'.repeat(2_000)}` });
    narrow();
    expect(await waiting).toMatchObject({ decision: { reason: 'camera_not_granted' } });
  });
});

test.each<[what: string, role: string, reason: string, changed: ChangesBy, headers: string[]]>([
  ['a role that is new', 'staff', 'allowed', () => ({}), ['Remote-User', 'olaf', 'Remote-Groups', 'staff']],
  ['the role of an API token that is new', 'staff', 'allowed', apiToken('staff'), apiBearer],
])('%s gets access immediately', async (_, role, reason, changed, headers) => {
  changes = changed;
  const { authorize } = begin();
  stored = new Map([...stored, ...rolesOf([[role, ['front']]])]);
  expect(await authorize({ ...request, headers })).toMatchObject({ decision: { reason } });
});

test('authenticates by the current roles too, or not at all', async () => {
  const { identify } = begin();
  stored = rolesOf([['staff', ['front']]]);
  expect(await identify(request)).toBe(undefined);
  isAway = true;
  await expect(identify(request)).rejects.toMatchObject({ code: 'store_unavailable' });
});

test.each<[what: string, asked: Partial<RequestContext>, reason: string]>([
  ['the internal entry point', { entryPoint: 'internal', headers: [] }, 'allowed'],
  ['a public path', { uri: '/postern/assets/a.js', headers: [] }, 'public'],
  ['an unknown client', { headers: [] }, 'user_missing'],
])('%s needs no roles, and no store', async (_, asked, reason) => {
  const { authorize } = begin();
  isAway = true;
  expect(await authorize({ ...request, ...asked })).toMatchObject({ decision: { reason } });
  expect(renewals).toBe(0);
});
