import type { LostCamera } from '../../../src/accounts/cameras/lost-cameras.ts';
import { houseOf } from '../../../src/access/settings/house.ts';
import { rolesOf } from '../../support/roles.ts';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { whatNeedsAttention } from '../../../src/api/installation/attention.ts';
import { serve } from '../../../src/api/endpoint.ts';
import type { ApiEnvironment } from '../../../src/api/environment.ts';
import type { GateState, OpenRequest } from '../../../src/api/doctor/gate-checks.ts';
import type { Allowed } from '../../../src/policy/decision.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';
import type { RoleDefinition } from '../../../src/policy/role-access.ts';
import type { Session } from '../../../src/accounts/sessions/session-token.ts';
import type { UnverifiedReason } from '../../../src/recorder/role-answers.ts';
import * as v from 'valibot';
import { settings } from './api-dependencies.ts';

const now = 1_800_000_000_000;
const day = 86_400_000;

interface Facts {
  readonly mode?: 'session' | 'proxy';
  readonly hasGeneratedPassword?: boolean;
  readonly successful?: boolean;
  readonly roles?: Readonly<Record<string, UnverifiedReason | 'verified'>>;
  readonly defined?: Readonly<Record<string, RoleDefinition>>;
  readonly ownFront?: 'embedded';
  readonly certificateEnds?: number;
  /** What the machine's clock shows, when it is behind. */
  readonly clockShows?: number;
  readonly servesSample?: boolean;
  readonly firstRun?: { shown?: boolean; checked?: boolean; face?: boolean };
  readonly recorder?: 'none' | 'silent' | 'heard';
  readonly heardAt?: number;
  readonly eventsFault?: string;
  readonly lostAlerts?: number;
  readonly exposures?: readonly string[];
  readonly losses?: GateState['losses'];
  /** Users whose role may not be defined. */
  readonly users?: ReadonlyArray<{ readonly username: string; readonly role: string }>;
  readonly requests?: readonly OpenRequest[];
  readonly lostCameras?: readonly LostCamera[];
  /** Sessions about which the provider could not be asked, the current one among them. */
  readonly faults?: number;
}

/** A gate without faults, except for the facts. */
function gate(facts: Facts): GateState {
  const { hasGeneratedPassword = false, roles = {}, recorder = 'heard' } = facts;
  const configuration = {
    cameras: new Map(),
    friendlyNames: new Map(),
    restreams: new Set<string>(),
    roles: new Map(),
    groups: new Map(),
  };
  return {
    settings: {
      house: houseOf({ name: undefined, logo: undefined, accent: undefined }),
      mode: facts.mode ?? 'session',
      ownFront: facts.ownFront,
      allCameras: () => ['garage', 'porch', 'driveway', 'front_door'],
      rules: {
        ...settings.rules,
        roles: rolesOf(Object.keys(roles).map((role) => [role, new Set(['garage'])])),
      },
      defined: { definitions: new Map(Object.entries(facts.defined ?? {})), groups: new Map() },
      roleAtRecorder: (role) => {
        const found = roles[role] ?? 'verified';
        return found === 'verified' ? { state: found } : { state: 'unverified', reason: found };
      },
    },
    users: {
      find: async () => ({ hasGeneratedPassword }) as never,
      listWith: async (roles) => (facts.users ?? []).filter(({ role }) => roles.includes(role)),
      listOthers: async () => [...(facts.users ?? [])],
    },
    losses: facts.losses ?? {},
    alerts: { countLost: async () => facts.lostAlerts ?? 0 },
    lostCameras: { list: async () => facts.lostCameras ?? [] },
    openRequests: facts.requests && (async () => facts.requests ?? []),
    firstRun: {
      facts: async () => ({ shown: false, checked: true, face: true, ...facts.firstRun }),
      generatedPasswordOf: async () => (hasGeneratedPassword ? 'admin' : null),
      note: () => Promise.reject(new Error('nothing is changed by asking')),
    },
    about: {
      reloads: () =>
        ({
          successful: facts.successful ?? true,
          problems: [{ path: 'a', found: 'b', allowed: 'c' }, {}],
          warnings: [],
          exposures: facts.exposures ?? [],
          waiting: [],
        }) as never,
      recorder: () =>
        recorder === 'none'
          ? undefined
          : {
              configuration: recorder === 'heard' ? configuration : undefined,
              heardAt: facts.heardAt,
              isEveryoneAdmin: false,
              fault: recorder === 'heard' ? undefined : 'no_answer',
            },
    },
    events: { fault: () => facts.eventsFault },
    clock: {
      now: () => now,
      isBehind: () => facts.clockShows !== undefined,
      machine: () => facts.clockShows ?? now,
    },
    certificateEnds: () => facts.certificateEnds,
    servesSample: facts.servesSample ?? false,
    provider: facts.faults === undefined ? undefined : { label: 'Acme', issuer: 'https://id.example' },
    providerSessions: {
      countFaults: async () => facts.faults ?? 0,
      find: async () => ({ fault: facts.faults === 0 ? undefined : 'away' }) as never,
    },
  };
}

const held = (people: readonly string[]): LostCamera['holders'] => ({
  roles: [],
  groups: [],
  people,
  invitations: 0,
  tokens: [],
  displays: [],
  shares: [],
  requests: [],
  stops: ['vera'],
});

const admin = plainIdentity('admin', 'admin', 'session');
const viewer = plainIdentity('vera', 'viewer', 'session');

async function attention(facts: Facts, identity: Identity | undefined = admin): Promise<unknown> {
  const app = new Hono<ApiEnvironment>();
  app.use('*', (c, next) => {
    c.set('allowed', { identity } as Allowed);
    const user = { issuer: facts.faults === undefined ? undefined : 'https://id.example' };
    c.set('session', { user, claims: { sessionId: 's' }, expiresAt: now } as Session);
    return next();
  });
  serve(app, { endpoint: whatNeedsAttention, services: gate(facts) });
  const entries: unknown = await (await app.request(whatNeedsAttention.path)).json();
  expect(v.is(whatNeedsAttention.answers[200].body, entries)).toBe(true);
  return entries;
}

const password = { kind: 'password_generated', level: 'problem', page: '/account', detail: {} };

test('is empty when nothing needs attention', async () => {
  expect(await attention({})).toEqual([]);
});

test.each<
  [what: string, facts: Facts, expected: { readonly kind: string } & Readonly<Record<string, unknown>>]
>([
  [
    'users with a role that is not defined',
    {
      roles: { street: 'verified' },
      users: [
        { username: 'nell', role: 'neighbour' },
        { username: 'olaf', role: 'neighbour' },
        { username: 'vera', role: 'street' },
        { username: 'zoe', role: 'none' },
      ],
    },
    {
      kind: 'role_undefined',
      level: 'problem',
      page: '/people',
      detail: { roles: 'neighbour', users: 'nell, olaf', count: 2 },
    },
  ],
  [
    'people whose own role has lost its definition, who are no viewers',
    {
      users: [
        { username: 'nell', role: 'guest_0123456789ab' },
        { username: 'olaf', role: 'guest_ba9876543210' },
      ],
    },
    { kind: 'access_lost', level: 'problem', page: '/people', detail: { users: 'nell, olaf', count: 2 } },
  ],
  [
    'groups and cameras of a role that are gone',
    {
      roles: { guest_0123456789ab: 'verified', guest_ba9876543210: 'verified' },
      defined: {
        guest_0123456789ab: { cameras: ['garage', 'attic'], access: { groups: ['outside'] } },
        guest_ba9876543210: { cameras: ['cellar'] },
      },
      users: [{ username: 'nell', role: 'guest_0123456789ab' }],
    },
    {
      kind: 'access_incomplete',
      level: 'problem',
      page: '/people',
      detail: { unknown: 'outside, attic', users: 'nell', count: 1 },
    },
  ],
  [
    'protections that are off',
    { exposures: ['auth.trusted_proxies trusts 0.0.0.0/0', 'tls.enabled is false'] },
    {
      kind: 'less_protected',
      level: 'hint',
      page: null,
      detail: { count: 2, first: 'auth.trusted_proxies trusts 0.0.0.0/0' },
    },
  ],
  [
    'accounts that are gone',
    { losses: { accounts: 1_700_000_000 } },
    { kind: 'accounts_lost', level: 'problem', page: null, detail: { last_sign_in: 1_700_000_000 } },
  ],
  [
    'a secret that is gone',
    { losses: { secret: true } },
    { kind: 'secret_lost', level: 'problem', page: null, detail: {} },
  ],
  [
    'cameras that the recorder renamed',
    {
      lostCameras: [
        { camera: 'porch', likely: 'entrance', holders: held(['ada', 'bo', 'cy', 'dee', 'eve', 'flo']) },
        { camera: 'yard', likely: undefined, holders: held([]) },
      ],
    },
    {
      kind: 'camera_lost',
      level: 'problem',
      page: null,
      detail: { camera: 'porch', likely: 'entrance', users: 'ada, bo, cy, dee, eve', people: 6, count: 2 },
    },
  ],
  ['a generated password', { hasGeneratedPassword: true }, password],
  [
    'a reload that failed',
    { successful: false },
    {
      kind: 'reload_failed',
      level: 'problem',
      page: null,
      detail: { problems: 2, first: 'a: found b, allowed is c' },
    },
  ],
  [
    'a clock that is behind',
    { clockShows: now - 400 * day },
    {
      kind: 'clock_behind',
      level: 'problem',
      page: null,
      detail: { clock: (now - 400 * day) / 1_000, last: now / 1_000 },
    },
  ],
  [
    'a certificate that expires in twenty days and a bit',
    { certificateEnds: now + 20.5 * day },
    {
      kind: 'certificate_ends',
      level: 'problem',
      page: null,
      detail: { days: 20, ends_at: (now + 20.5 * day) / 1_000 },
    },
  ],
  [
    'a certificate that expired yesterday',
    { certificateEnds: now - day },
    {
      kind: 'certificate_ends',
      level: 'problem',
      page: null,
      detail: { days: -1, ends_at: (now - day) / 1_000 },
    },
  ],
  [
    'roles that are not verified',
    {
      roles: { a: 'no_answer', b: 'verified', c: 'more_cameras', d: 'not_asked', e: 'expired', f: 'expired' },
    },
    {
      kind: 'role_unverified',
      level: 'problem',
      page: '/settings/access',
      detail: { roles: 'a, c, e, f', count: 4 },
    },
  ],
  [
    'the person of a role that was made for one, and no role whose person has not come yet',
    {
      roles: { a: 'expired', guest_0123456789ab: 'more_cameras', guest_ba9876543210: 'more_cameras' },
      mode: 'proxy',
      users: [
        { username: 'rose', role: 'guest_0123456789ab' },
        { username: 'olaf', role: 'a' },
      ],
    },
    {
      kind: 'role_unverified',
      level: 'problem',
      page: '/settings/access',
      detail: { roles: 'a, rose', count: 2 },
    },
  ],
  [
    'roles that a front has no recorder to ask about',
    { roles: { a: 'upstream_unset' } },
    {
      kind: 'role_unverified',
      level: 'problem',
      page: '/settings/access',
      detail: { roles: 'a', count: 1 },
    },
  ],
  [
    'setup steps that no admin has seen',
    { firstRun: { checked: false }, recorder: 'none' },
    {
      kind: 'first_run',
      level: 'hint',
      page: '/first-run',
      detail: { open: 'recorder,check', count: 2, shown: 0 },
    },
  ],
  [
    'a recorder that does not answer leaves its step open, and the check finds it',
    { firstRun: { shown: true }, recorder: 'silent' },
    {
      kind: 'first_run',
      level: 'hint',
      page: '/first-run',
      detail: { open: 'recorder,check', count: 2, shown: 1 },
    },
  ],
  [
    'since when a recorder is away',
    { firstRun: { shown: true }, recorder: 'silent', heardAt: now },
    {
      kind: 'recorder_away',
      level: 'problem',
      page: null,
      detail: { fault: 'no_answer', since: now / 1_000 },
    },
  ],
  [
    "a recorder's database that cannot be read",
    { eventsFault: 'locked' },
    { kind: 'events_unreadable', level: 'problem', page: null, detail: { fault: 'locked' } },
  ],
  [
    'no steps for accounts behind single sign-on',
    { mode: 'proxy', firstRun: { checked: false }, recorder: 'none' },
    {
      kind: 'first_run',
      level: 'hint',
      page: '/first-run',
      detail: { open: 'recorder,check', count: 2, shown: 0 },
    },
  ],
  [
    'the sample',
    { servesSample: true },
    { kind: 'sample_data', level: 'hint', page: '/first-run', detail: {} },
  ],
])('an admin sees %s', async (_, facts, expected) => {
  const entries = (await attention(facts)) as Array<{ kind: string }>;
  // Any problem leaves the step for problems open, and so does a recorder that is away.
  const beside = new Set(['first_run', 'recorder_away']);
  expect(entries.filter(({ kind }) => kind === expected.kind || !beside.has(kind))).toEqual([expected]);
});

test('every user sees that the recorder is away, without a way to its settings', async () => {
  expect(await attention({ firstRun: { shown: true }, recorder: 'silent' }, viewer)).toEqual([
    { kind: 'recorder_away', level: 'problem', page: null, detail: { fault: 'no_answer', since: null } },
  ]);
});

test.each<[what: string, facts: Facts]>([
  ['a certificate that is valid for another month', { certificateEnds: now + 30 * day }],
  ['a role that was not asked about yet', { roles: { a: 'not_asked' } }],
  ['a role that is made for someone who has not come yet', { roles: { guest_0123456789ab: 'more_cameras' } }],
  ['steps that are done', { firstRun: { shown: true } }],
])('no one sees %s', async (_, facts) => {
  expect(await attention(facts)).toEqual([]);
});

const everything: Facts = {
  hasGeneratedPassword: true,
  successful: false,
  certificateEnds: now,
  roles: { a: 'no_answer' },
  servesSample: true,
};
const sample = { kind: 'sample_data', level: 'hint', page: null, detail: {} };

test('an admin sees everything, the worst first', async () => {
  const kinds = ((await attention(everything)) as Array<{ kind: string }>).map(({ kind }) => kind);
  expect(kinds).toEqual([
    'password_generated',
    'reload_failed',
    'certificate_ends',
    'role_unverified',
    'first_run',
    'sample_data',
  ]);
});

describe('a provider that could not be asked', () => {
  const own = {
    kind: 'session_not_refreshed',
    level: 'problem',
    page: '/account',
    detail: { provider: 'Acme', fault: 'away', ends_at: now / 1_000 },
  };
  const all = {
    kind: 'provider_fault',
    level: 'problem',
    page: null,
    detail: { provider: 'Acme', sessions: 2 },
  };

  test('is shown to an admin, and to users with such a session', async () => {
    expect(await attention({ faults: 2 })).toEqual([own, all]);
    expect(await attention({ faults: 2 }, viewer)).toEqual([own]);
  });

  test('is not shown once it answers', async () => {
    expect(await attention({ faults: 0 })).toEqual([]);
  });
});

test.each<[who: string, identity: Identity | undefined, expected: readonly object[]]>([
  ['a viewer: their own password and the sample', viewer, [password, sample]],
  ["a viewer's token: the sample", plainIdentity('vera', 'viewer', 'api-token'), [sample]],
  ['a user of a proxy: the sample', plainIdentity('vera', 'viewer', 'proxy'), [sample]],
  [
    "an admin's token for some cameras: the sample, without links to pages that it may not open",
    { ...admin, source: 'api-token', token: { id: 't', cameras: new Set(['garage']) } },
    [sample],
  ],
  ['a custom role: their own password and the sample', { ...viewer, role: 'a' }, [password, sample]],
])('is shown to %s', async (_, identity, expected) => {
  expect(await attention(everything, identity)).toEqual(expected);
});

test('the admin of the internal entry point has no password', async () => {
  const entries = (await attention(everything, plainIdentity('', 'admin', 'internal'))) as object[];
  expect(entries).not.toContainEqual(password);
  expect(entries).toHaveLength(5);
});

test('behind the embedded front without upstream, the events app keeps every role to its cameras', async () => {
  expect(await attention({ ownFront: 'embedded', roles: { a: 'upstream_unset' } })).toEqual([]);
});
