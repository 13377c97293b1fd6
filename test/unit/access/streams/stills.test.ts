import { expect, test } from 'vitest';
import { streamsOf } from '../../../../src/access/streams/listed-stream.ts';
import { createStills } from '../../../../src/access/streams/stills.ts';
import type { Allowed } from '../../../../src/policy/decision.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';

function watched() {
  const state = { now: 1_000_000 };
  const stills = createStills({ now: () => state.now });
  let ids = 0;
  const note = (camera: string, session = 'phone', page: string | null = '/postern/', user = 'olaf') => {
    const permitted: Allowed = {
      outcome: 'allow',
      reason: 'allowed',
      identity: plainIdentity(user, 'family', 'session'),
      grant: 'all',
      may: new Set(),
      path: `/api/${camera}/latest.jpg`,
      resource: { kind: 'cameras', cameras: [camera] },
    };
    const client = { address: '192.0.2.1', agent: 'Mozilla/5.0', page: page ?? undefined };
    stills.note(`d-${(ids += 1)}`, permitted, { expiresAt: 0, claims: { sessionId: session } }, () => client);
  };
  const streams = streamsOf({ list: () => [], cut: () => undefined }, stills);
  return { state, note, stills, list: streams.list, cut: streams.cut };
}

test('pictures of several cameras in a session are one entry, until twenty seconds after the last one', async () => {
  const { state, note, list } = watched();
  note('front');
  note('garage');
  expect(await list()).toEqual([]);
  state.now += 4_000;
  note('front');
  expect(await list()).toMatchObject([
    {
      id: 'd-1',
      kind: 'pictures',
      page: 'home',
      user: 'olaf',
      session: 'phone',
      cameras: ['front', 'garage'],
      since: 1_000_000,
    },
  ]);
  state.now += 17_000;
  // Only one camera is in view by now.
  expect(await list()).toMatchObject([{ cameras: ['front'] }]);
  state.now += 3_000;
  expect(await list()).toEqual([]);
});

test('after a pause, it is another entry', async () => {
  const { state, note, list } = watched();
  note('front');
  state.now += 20_000;
  note('front');
  state.now += 2_000;
  note('front');
  expect(await list()).toMatchObject([{ id: 'd-2', since: 1_020_000 }]);
});

test('sessions are apart', async () => {
  const { state, note, list } = watched();
  for (const session of ['phone', 'tablet']) note('front', session);
  state.now += 3_000;
  for (const session of ['phone', 'tablet']) note('front', session);
  expect(new Set((await list()).map(({ session }) => session))).toEqual(new Set(['phone', 'tablet']));
});

test.each([
  ['/postern/', 'home'],
  ['/cameras/postern/', 'home'],
  ['/postern/cameras/front', 'live'],
  ['/', 'other'],
  [null, 'other'],
])('by a page at %s: %s', async (page, shown) => {
  const { state, note, list } = watched();
  for (let i = 0; i < 2; i += 1) {
    note('front', 'phone', page);
    state.now += 2_000;
  }
  expect(await list()).toMatchObject([{ page: shown }]);
});

test('what is stopped is no longer listed', async () => {
  const { state, note, list, cut } = watched();
  note('front');
  state.now += 2_000;
  note('front');
  expect(await cut('d-1')).toMatchObject({ kind: 'pictures', cameras: ['front'] });
  expect([await list(), await cut('d-1')]).toEqual([[], undefined]);
});

test('any number of clients take bounded memory', async () => {
  const { state, note, list } = watched();
  for (let round = 0; round < 2; round += 1) {
    for (let i = 0; i < 3_000; i += 1) note('front', `session-${i % 2_500}`);
    state.now += 2_000;
  }
  expect((await list()).length).toBeLessThanOrEqual(2_000);
});
