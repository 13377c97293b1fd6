import { expect, test } from 'vitest';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import type { Settings } from '../../../../src/access/settings/settings.ts';
import { createApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import { addApiToken, listApiTokens, revokeApiToken } from '../../../../src/features/api-tokens/endpoints.ts';
import type { Identity } from '../../../../src/policy/identity.ts';
import { permissionBy, unconditional } from '../../../../src/store/permit.ts';
import { rolesOf } from '../../../support/roles.ts';
import { askEndpoint, sessionSettings } from '../../api/ask-endpoint.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

const now = Math.ceil(Date.now() / 1_000) * 1_000;
const day = 86_400_000;
const clock = { now: () => now };
const withRoles = (cameras: Readonly<Record<string, readonly string[]>>): Settings => ({
  ...sessionSettings,
  rules: { ...sessionSettings.rules, roles: rolesOf(Object.entries(cameras)) },
});
const before = withRoles({ family: ['front'], guests: ['garage'] });

interface Asker {
  readonly user?: string;
  readonly role?: string;
  readonly source?: Identity['source'];
  readonly provedAgo?: number;
}

/** Root is an admin, vera a viewer, and olaf has a role; vera and olaf have a token each. */
async function house({
  settings = before,
  later = settings,
}: { settings?: Settings; later?: Settings } = {}) {
  const { store, version } = await temporaryVersionedStore();
  const users = createUsers(store, clock);
  for (const [username, role] of [
    ['root', 'admin'],
    ['vera', 'viewer'],
    ['olaf', 'family'],
  ] as const)
    await users.add({ username, role, passwordHash: 'h' }, unconditional);
  const apiTokens = createApiTokens(store, { clock, storeVersion: version });
  const ids: Record<string, string> = {};
  for (const [owner, role] of [
    ['vera', 'viewer'],
    ['olaf', 'family'],
  ] as const) {
    const wanted = { name: `of ${owner}`, owner, role, cameras: undefined, expiresAt: undefined };
    ids[owner] = (await apiTokens.add(wanted, unconditional)).apiToken.id;
  }
  const counted: string[] = [];
  const services = {
    settings,
    apiTokens,
    users,
    clock,
    apiTokenUses: { list: async () => new Map() },
    changeLimit: { take: async (what: string, whose: string) => void counted.push(`${what} of ${whose}`) },
  };
  const asking = (asker: Asker) => ({
    services,
    role: 'family',
    ...asker,
    permit: async () => ({ settings: later, ...permissionBy(() => undefined) }),
  });
  return {
    ids,
    apiTokens,
    counted,
    add: (body: object, asker: Asker = {}) => {
      const { ask, recorded } = askEndpoint({ endpoint: addApiToken, ...asking(asker) });
      return ask('/postern/api/tokens', body).then((answer) => ({ ...answer, recorded }));
    },
    list: async (asker: Asker, query = '') => {
      const { status, body } = await askEndpoint({ endpoint: listApiTokens, ...asking(asker) }).ask(
        `/postern/api/tokens${query}`,
      );
      const json: unknown = JSON.parse(body);
      return Array.isArray(json) ? json.map((one: { name: string }) => one.name).join(', ') : status;
    },
    revoke: async (id: string, asker: Asker) => {
      const { ask, recorded } = askEndpoint({ endpoint: revokeApiToken, ...asking(asker) });
      return { status: (await ask(`/postern/api/tokens/${id}`)).status, recorded };
    },
  };
}

const vera = { user: 'vera', role: 'viewer' };
const root = { user: 'root', role: 'admin' };

test.each<[who: string, asker: Asker, query: string, listed: string | number]>([
  ['a user', vera, '', 'of vera'],
  ['a user, by name', vera, '?user=vera', 'of vera'],
  ['a user, of another', vera, '?user=olaf', 404],
  ['a user, of no one', vera, '?user=eve', 404],
  ['an admin', root, '', 'of olaf, of vera'],
  ['an admin, of a user', root, '?user=olaf', 'of olaf'],
  ['an admin, of no one', root, '?user=eve', 404],
])('%s gets the tokens "%s" asks for', async (_, asker, query, listed) => {
  expect(await (await house()).list(asker, query)).toBe(listed);
});

test.each<[who: string, asker: Asker, revoked: readonly string[]]>([
  ['a user', vera, ['vera']],
  ['another user', {}, ['olaf']],
  ['an admin', root, ['vera', 'olaf']],
])('%s revokes their own tokens, once, and only admins all', async (_, asker, revoked) => {
  const { ids, apiTokens, revoke } = await house();
  for (const [owner, id] of Object.entries(ids)) {
    const { status, recorded } = await revoke(id, asker);
    const isRevoked = revoked.includes(owner);
    const isGone = (await apiTokens.find(id)) === undefined;
    expect([status, isGone]).toEqual(isRevoked ? [204, true] : [404, false]);
    const record = { event: 'api_token_revoked', object: `of ${owner}`, detail: { id, owner } };
    if (isRevoked) expect(recorded).toMatchObject([record]);
    else expect(recorded).toEqual([]);
    expect((await revoke(id, asker)).status).toBe(404);
  }
});

const body = (changes: object = {}) => ({ name: 'Home', role: 'family', ...changes });

test.each<[what: string, asker: Asker, body: object, made: object]>([
  ['their role', {}, body(), { role: 'family', cameras: undefined, expiresAt: undefined }],
  ['one of their cameras', {}, body({ cameras: ['front'] }), { cameras: new Set(['front']) }],
  [
    'a camera of the house',
    vera,
    body({ role: 'viewer', cameras: ['garage'] }),
    { cameras: new Set(['garage']) },
  ],
  ['less to do', {}, body({ access: { may: ['live'] } }), { may: new Set(['live']) }],
  ['an end', {}, body({ expires_at: now / 1_000 + 1 }), { expiresAt: now + 1_000 }],
  ['the last end', {}, body({ expires_at: (now + 3_650 * day) / 1_000 }), { expiresAt: now + 3_650 * day }],
  ['days', {}, body({ expires_in_days: 1 }), { expiresAt: now + day }],
  ['a bearer', { source: 'bearer' }, body(), { role: 'family' }],
  ['any role, for an admin', root, body({ role: 'guests' }), { role: 'guests' }],
])('a token with %s is added', async (_, asker, wanted, made) => {
  const { add, apiTokens, counted } = await house();
  const { status, body: text, recorded } = await add(wanted, asker);
  const { id, token } = JSON.parse(text) as { id: string; token: string };
  expect([status, token], text).toEqual([201, expect.stringMatching(/^postern_[\w-]{43}$/)]);
  const owner = asker.user ?? 'olaf';
  expect(await apiTokens.find(id)).toMatchObject({ owner, name: 'Home', ...made });
  expect(counted).toEqual(asker === root ? [] : [`api_token of ${owner}`]);
  expect(recorded).toMatchObject([
    { event: 'api_token_created', user: owner, object: 'Home', detail: { id, owner } },
  ]);
});

const behindProxy = { ...before, mode: 'proxy' } as const;

test.each<[what: string, asker: Asker, body: object, status: number, settings?: Settings]>([
  ['a wider role', {}, body({ role: 'viewer' }), 422],
  ['the role admin', vera, body({ role: 'admin' }), 422],
  ['another role', {}, body({ role: 'guests' }), 422],
  ['a role that there is not', root, body({ role: 'strangers' }), 422],
  ['another camera', {}, body({ cameras: ['front', 'garage'] }), 422],
  ['no camera of the house', vera, body({ role: 'viewer', cameras: ['attic'] }), 422],
  ['no camera', {}, body({ cameras: [] }), 422],
  ['more to do', {}, body({ access: { may: ['live', 'ptz'] } }), 422],
  ['no name', {}, body({ name: '' }), 422],
  ['an end that is over', {}, body({ expires_at: now / 1_000 }), 422],
  ['an end that is too far away', {}, body({ expires_at: (now + 3_650 * day) / 1_000 + 1 }), 422],
  ['two ends', {}, body({ expires_at: now / 1_000 + 1, expires_in_days: 1 }), 422],
  ['no day', {}, body({ expires_in_days: 0 }), 422],
  ['too many days', {}, body({ expires_in_days: 3_651 }), 422],
  ['another owner', {}, body({ username: 'root' }), 422],
  ['the role admin, after an old proof', { ...root, provedAgo: 3_600_000 }, body({ role: 'admin' }), 403],
  ['a token', { source: 'api-token' }, body(), 403],
  ['the internal entry point', { ...root, source: 'internal' }, body(), 403],
  ['a proxy', { ...root, source: 'proxy' }, body(), 404, behindProxy],
  ['a user who was removed', { user: 'eve' }, body(), 404],
])('no token is added with %s, and none is counted', async (_, asker, wanted, status, settings) => {
  const { add, apiTokens, counted } = await house(settings === undefined ? {} : { settings });
  const answer = await add(wanted, asker);
  expect(answer.status, answer.body).toBe(status);
  expect(await apiTokens.list(undefined)).toHaveLength(2);
  expect([counted, answer.recorded]).toEqual([[], []]);
});

test('users who may not see which other roles there are do not learn it', async () => {
  const { add } = await house();
  expect((await add(body({ role: 'guests' }))).body).toContain('one that is no wider');
  expect((await add(body({ role: 'strangers' }))).body).toContain('one that is no wider');
  expect((await add(body({ role: 'strangers' }), root)).body).toContain('guests');
});

test('the roles of the moment of the write count', async () => {
  const later = withRoles({ family: ['garage'], guests: ['garage'] });
  const { add, apiTokens } = await house({ later });
  expect((await add(body({ cameras: ['front'] }))).status).toBe(422);
  expect(await apiTokens.list(undefined)).toHaveLength(2);
});
