import { expect, test } from 'vitest';
import { endShare, listShares, makeShare } from '../../../../src/features/shares/endpoints.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import type { Settings } from '../../../../src/access/settings/settings.ts';
import { createShares } from '../../../../src/features/shares/shares.ts';
import { permissionBy, unconditional } from '../../../../src/store/permit.ts';
import { rolesOf } from '../../../support/roles.ts';
import { askEndpoint, sessionSettings } from '../../api/ask-endpoint.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const now = 1_793_000_000_000;
const second = now / 1_000;
const day = 86_400;
const clock = { now: () => now };
const cameraOf = { seen: 'front', hidden: 'garage' } as const;
const camerasOfEvents = (ids: readonly string[]) =>
  new Map(Object.entries(cameraOf).filter(([id]) => ids.includes(id)));
const houseSettings: Settings = {
  ...sessionSettings,
  rules: { ...sessionSettings.rules, recorded: { ...sessionSettings.rules.recorded, camerasOfEvents } },
};

interface Asker {
  readonly user?: string;
  readonly role?: string;
  readonly source?: 'session' | 'proxy' | 'share' | 'display';
}

/** A house whose shares can be asked for. */
async function house(changes: object = {}) {
  const store = await temporaryStore();
  for (const username of ['olaf', 'vera', 'root'])
    await createUsers(store, clock).add({ username, role: 'viewer', passwordHash: 'h' }, unconditional);
  const shares = createShares(store, clock);
  const counted: string[] = [];
  const event = { camera: 'front', startTime: now - 60_000, endTime: now, hasClip: true };
  const services = {
    settings: houseSettings,
    shares,
    clock,
    shareUnlocks: { list: async () => new Map() },
    shareRules: { enabled: true, longest: day * 1_000, mostPerUser: 2, publicUrl: 'https://gate.example' },
    recordedThings: {
      eventById: (id: string) =>
        id in cameraOf ? { ...event, camera: cameraOf[id as keyof typeof cameraOf] } : undefined,
      exportById: () => undefined,
    },
    changeLimit: { take: async (what: string, whose: string) => void counted.push(`${what} of ${whose}`) },
    hasher: { hash: async (text: string) => `hash of ${text}` },
    ...changes,
  };
  const asking = (asker: Asker) => ({ services, role: 'family', ...asker });
  return {
    shares,
    counted,
    make: (
      body: object,
      { asker = {}, settings = houseSettings }: { asker?: Asker; settings?: Settings } = {},
    ) =>
      askEndpoint({
        endpoint: makeShare,
        ...asking(asker),
        permit: async () => ({ ...permissionBy(() => undefined), settings }),
      }).ask('/postern/api/shares', body),
    list: async (asker: Asker, query = '') => {
      const { body } = await askEndpoint({ endpoint: listShares, ...asking(asker) }).ask(
        `/postern/api/shares${query}`,
      );
      return (JSON.parse(body) as ReadonlyArray<{ label: string }>).map(({ label }) => label).toSorted();
    },
    end: async (id: string, asker: Asker) => {
      const { ask, recorded } = askEndpoint({ endpoint: endShare, ...asking(asker) });
      return { status: (await ask(`/postern/api/shares/${id}`)).status, recorded };
    },
    /** Shares of olaf and vera, one by the proxy. @returns their ids */
    withShares: async () => {
      const common = {
        kind: 'camera',
        object: undefined,
        camera: 'front',
        from: now,
        until: now + 1_000,
      } as const;
      const made = { ...common, expiresAt: now + 1_000, passwordHash: undefined };
      const ids = new Map<string, string>();
      for (const [label, user, source] of [
        ['of olaf', 'olaf', 'session'],
        ['of vera', 'vera', 'session'],
        ['of olaf by the proxy', 'olaf', 'proxy'],
      ] as const) {
        const creator = { user, role: 'family', source, tokenId: undefined };
        const { share } = await shares.add({ ...made, label, creator }, 9, unconditional);
        ids.set(label, share.id);
      }
      return ids;
    },
  };
}

const all = ['of olaf', 'of olaf by the proxy', 'of vera'];

test.each<[who: string, asker: Asker, query: string, labels: readonly string[]]>([
  ['a user', {}, '', ['of olaf']],
  ['another user', { user: 'vera' }, '', ['of vera']],
  ['a user of the proxy', { source: 'proxy' }, '', ['of olaf by the proxy']],
  ['an admin', { user: 'root', role: 'admin' }, '', all],
  ['an admin, for their own', { role: 'admin' }, '?own', ['of olaf']],
])('%s gets their own shares, and only admins all', async (_, asker, query, labels) => {
  const { list, withShares } = await house();
  await withShares();
  expect(await list(asker, query)).toEqual(labels);
});

test.each<[who: string, asker: Asker, ended: readonly string[]]>([
  ['a user', {}, ['of olaf']],
  ['another user', { user: 'vera' }, ['of vera']],
  ['a user of the proxy', { source: 'proxy' }, ['of olaf by the proxy']],
  ['an admin', { user: 'root', role: 'admin' }, all],
])('%s ends their own shares, once, and only admins all', async (_, asker, ended) => {
  const { shares, end, withShares } = await house();
  for (const [label, id] of await withShares()) {
    const { status, recorded } = await end(id, asker);
    const isEnded = ended.includes(label);
    expect([status, await shares.find(id).then((found) => found === undefined)]).toEqual(
      isEnded ? [204, true] : [404, false],
    );
    const made_by = label === 'of vera' ? 'vera' : 'olaf';
    const record = { event: 'share_ended', user: asker.user ?? 'olaf', object: id, detail: { made_by } };
    if (isEnded) expect(recorded).toMatchObject([record]);
    else expect(recorded).toEqual([]);
    expect((await end(id, asker)).status).toBe(404);
  }
  expect((await end('unknown', asker)).status).toBe(404);
});

const camera = { kind: 'camera', camera: 'front', expires_in: 3_600 };
const event = { kind: 'event', id: 'seen', expires_in: 3_600 };

test.each<[what: string, body: object, made: object]>([
  ['a camera', camera, { kind: 'camera', camera: 'front', from: now, until: now + 3_600_000 }],
  ['a period', { ...camera, from: second - 60, until: second }, { from: now - 60_000, until: now }],
  ['an event', event, { kind: 'event', object: 'seen', camera: 'front', from: now - 60_000, until: now }],
  ['as long as may be', { ...event, expires_in: day }, { expiresAt: now + day * 1_000 }],
  ['as short as may be', { ...event, expires_in: 60 }, { expiresAt: now + 60_000 }],
  ['with a password', { ...event, password: '12345678' }, { passwordHash: 'hash of 12345678' }],
  [
    'with a label',
    { ...event, label: 'Für die Polizei' },
    { label: 'Für die Polizei', passwordHash: undefined },
  ],
])('a share of %s is made', async (_, body, made) => {
  const { shares, make, counted } = await house();
  const { status, body: text } = await make(body);
  const { id, url } = JSON.parse(text) as { id: string; url: string };
  expect([status, url]).toEqual([
    201,
    expect.stringMatching(`^https://gate.example/postern/share/${id}#[\\w-]{43}$`),
  ]);
  expect(await shares.find(id)).toMatchObject({ creator: { user: 'olaf', role: 'family' }, ...made });
  expect(counted).toEqual(['share of olaf']);
});

test.each<[what: string, body: object, status: number, changes?: object]>([
  ['another camera', { ...camera, camera: 'garage' }, 404],
  ['no camera of the house', { ...camera, camera: 'attic' }, 404],
  ['an event of another camera', { ...event, id: 'hidden' }, 404],
  ['no event', { ...event, id: 'none' }, 404],
  ['shares turned off', event, 404, { shareRules: { enabled: false } }],
  ['longer than may be', { ...event, expires_in: day + 1 }, 422],
  ['shorter than may be', { ...event, expires_in: 59 }, 422],
  ['a part of a second', { ...event, expires_in: 60.5 }, 422],
  ['a short password', { ...event, password: '1234567' }, 422],
  ['a long password', { ...event, password: 'x'.repeat(257) }, 422],
  ['a label with a line break', { ...event, label: 'a\nb' }, 422],
  ['a label with a space at its end', { ...event, label: 'a ' }, 422],
  ['a label with a space at its start', { ...event, label: ' a' }, 422],
  ['an empty label', { ...event, label: '' }, 422],
  ['a long label', { ...event, label: 'x'.repeat(65) }, 422],
  ['an event and a camera', { ...event, camera: 'front' }, 422],
  ['an event and a time', { ...event, until: second }, 422],
  ['an event without an id', { kind: 'event', expires_in: 60 }, 422],
  ['a camera with an id', { ...camera, id: 'seen' }, 422],
  ['a camera without a name', { kind: 'camera', expires_in: 60 }, 422],
  ['a period that is backwards', { ...camera, from: second + 1, until: second }, 422],
  ['a period of nothing', { ...camera, from: second, until: second }, 422],
  ['a time in milliseconds', { ...camera, from: now, until: now + 1_000 }, 422],
  ['another kind', { ...event, kind: 'user' }, 422],
  ['another field', { ...event, role: 'admin' }, 422],
])('nothing is shared with %s', async (_, body, status, changes) => {
  const { shares, make, counted } = await house(changes);
  expect((await make(body)).status).toBe(status);
  expect([await shares.list('all'), counted]).toEqual([[], []]);
});

test.each(['share', 'display'] as const)('a visitor by a %s shares nothing on', async (source) => {
  const { shares, make } = await house();
  expect((await make(event, { asker: { source } })).status).toBe(403);
  expect(await shares.list('all')).toEqual([]);
});

test('what may not be seen at the moment of the write is not shared', async () => {
  const { shares, make } = await house();
  const settings = {
    ...houseSettings,
    rules: { ...houseSettings.rules, roles: rolesOf([['family', ['garage']]]) },
  };
  expect((await make(event, { settings })).status).toBe(404);
  expect(await shares.list('all')).toEqual([]);
});

test('each has as many as may be, and only admins are not counted', async () => {
  const { make, counted } = await house();
  for (const user of ['olaf', 'vera'])
    for (const status of [201, 201, 409])
      expect((await make(event, { asker: { user } })).status).toBe(status);
  expect(counted).toEqual(Array.from({ length: 6 }, (_, n) => `share of ${n < 3 ? 'olaf' : 'vera'}`));
  expect((await make(event, { asker: { user: 'root', role: 'admin' } })).status).toBe(201);
  expect(counted).toHaveLength(6);
});
