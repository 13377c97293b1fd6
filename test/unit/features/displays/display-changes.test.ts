import { expect, test } from 'vitest';
import { changeDisplay } from '../../../../src/features/displays/endpoints.ts';
import { createApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import { createDisplays, type Displays } from '../../../../src/features/displays/displays.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import type { Capability } from '../../../../src/policy/capability.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { systemClock } from '../../../../src/clock.ts';
import { temporaryStore } from '../../store/temporary-store.ts';
import { askEndpoint } from '../../api/ask-endpoint.ts';

const soon = Math.floor(Date.now() / 1000) + 3_600;

/** A display of `olaf`, and its endpoint. @param meanwhile done once a request has read the display, before it writes */
async function displayOf(role: string, meanwhile?: (displays: Displays, id: string) => Promise<unknown>) {
  const store = await temporaryStore();
  const users = createUsers(store, systemClock);
  const tokens = createApiTokens(store, {
    clock: systemClock,
    storeVersion: () => Number.NaN,
    kind: 'display',
  });
  const displays = createDisplays(store, tokens, systemClock);
  await users.add({ username: 'olaf', role, passwordHash: 'h' }, unconditional);
  const { id } = await displays.approve(
    'device',
    {
      name: 'Hall',
      owner: 'olaf',
      role: 'viewer',
      cameras: new Set(['front', 'garage']),
      may: new Set(['live', 'history']),
      expiresAt: soon * 1000,
    },
    unconditional,
  );
  const change: Displays['change'] = async (...wanted) => {
    await meanwhile?.(displays, id);
    return displays.change(...wanted);
  };
  const asking = {
    endpoint: changeDisplay,
    services: { displays: { ...displays, change }, users, apiTokenUses: { list: async () => new Map() } },
  };
  const put = async (body: object, options: Partial<Parameters<typeof askEndpoint>[0]> = {}) => {
    const { ask, recorded } = askEndpoint({ ...asking, ...options });
    return { ...(await ask(`/postern/api/displays/${id}`, body)), recorded };
  };
  return { put, displays, id };
}

const narrowed = {
  cameras: new Set(['front']),
  may: new Set<Capability>(['live']),
  expiresAt: (soon - 60) * 1000,
};
const stored = { name: 'Hall', cameras: ['front', 'garage'], may: ['live', 'history'], until: soon };

test.each<[what: string, body: object, changed: object]>([
  ['a new name', { name: 'Stairs' }, { name: 'Stairs' }],
  ['cameras', { cameras: ['garage'] }, { cameras: ['garage'] }],
  ['all cameras', { cameras: null }, { cameras: null }],
  ['words', { may: ['history'] }, { may: ['history'] }],
  ['a time', { until: soon - 30 }, { until: soon - 30 }],
  ['no time', { until: null }, { until: null }],
  ['nothing', {}, {}],
])('%s changes nothing else, also beside a narrowing that came first', async (_, body, changed) => {
  const alone = await displayOf('viewer');
  expect(JSON.parse((await alone.put(body)).body)).toMatchObject({ ...stored, ...changed });
  const beside = await displayOf('viewer', (displays, id) => displays.change(id, narrowed, unconditional));
  expect(JSON.parse((await beside.put(body)).body)).toMatchObject({
    name: 'Hall',
    cameras: ['front'],
    may: ['live'],
    until: soon - 60,
    ...changed,
  });
});

test('a display that ends meanwhile stays ended', async () => {
  const { put, displays, id } = await displayOf('viewer', (all, one) => all.end(one, unconditional));
  expect((await put({ name: 'Stairs' })).status).toBe(404);
  expect(await displays.find(id)).toBeUndefined();
});

test.each<[who: string, options: Partial<Parameters<typeof askEndpoint>[0]>, status: number]>([
  ['its user', {}, 200],
  ['an admin', { user: 'root', role: 'admin' }, 200],
  ['another user', { user: 'vera' }, 404],
  ['its user, without a fresh proof', { provedAgo: 601_000 }, 403],
])('%s changes it: %o %i', async (_, options, status) => {
  const { put } = await displayOf('viewer');
  const answer = await put({ name: 'Stairs' }, options);
  expect([answer.status, answer.recorded.map(({ event }) => event)]).toEqual([
    status,
    status === 200 ? ['display_changed'] : [],
  ]);
});

test.each<[what: string, body: object, status: number]>([
  ['a camera of its user', { cameras: ['front'] }, 200],
  ['a camera that its user may not see', { cameras: ['garage'] }, 422],
  ['a name, while it has a camera that its user may not see anymore', { name: 'Stairs' }, 200],
  ['a time that is over', { until: 1 }, 422],
  ['a time that is too far away', { until: soon + 3_651 * 86_400 }, 422],
])('gets %s: %o %i', async (_, body, status) => {
  const { put } = await displayOf('family');
  expect((await put(body)).status).toBe(status);
});
