import { expect, test } from 'vitest';
import type { OpenStream } from '../../../../../src/web/ui/sessions/streams-api.ts';
import { deviceOf, watchersOf } from '../../../../../src/web/ui/sessions/watchers.ts';

const stream = (changes: Partial<OpenStream>, cameras: readonly string[] = ['driveway']): OpenStream => ({
  id: 'a',
  kind: 'answer',
  page: 'live',
  user: 'nell',
  role: 'family',
  source: 'session',
  session: 'phone',
  resource: { path: '/api/driveway', cameras: [...cameras] },
  since: 100,
  address: '192.0.2.7',
  agent: null,
  own: false,
  ...changes,
});

test('those who watch are listed once for each session, the oldest first', () => {
  const found = watchersOf([
    stream({ id: 'b', since: 200 }, ['garage', 'driveway']),
    stream({ id: 'a', since: 100 }),
    stream({ id: 'c', since: 50, session: 'tablet' }),
    stream({ id: 'd', since: 300, session: null, source: 'share', user: 'share:x' }),
  ]);
  expect(found.map(({ streams, cameras, since }) => [streams.map(({ id }) => id), cameras, since])).toEqual([
    [['c'], ['driveway'], 50],
    [['a', 'b'], ['driveway', 'garage'], 100],
    [['d'], ['driveway'], 300],
  ]);
});

test('no one is told that they watch themselves, on however many devices', () => {
  const own = [stream({ own: true }), stream({ own: true, id: 'b', session: 'desk' })];
  expect(watchersOf(own)).toEqual([]);
  expect(watchersOf([...own, stream({ id: 'c', user: 'olaf' })])).toHaveLength(1);
});

test.each<[Partial<OpenStream>, boolean]>([
  [{ page: 'updates', kind: 'websocket' }, false],
  [{ page: 'other' }, false],
  [{ page: 'other', kind: 'pictures' }, true],
  [{ page: 'home', kind: 'pictures' }, true],
  [{ page: 'recording' }, true],
])('%o counts as watching: %s', (changes, counts) => {
  expect(watchersOf([stream(changes)])).toHaveLength(counts ? 1 : 0);
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'phone'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile Safari/537.36', 'phone'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140 Safari/537.36', 'tablet'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140 Safari/537.36', 'computer'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X) Safari/605', 'computer'],
  ['curl/8.0', 'program'],
  [null, 'program'],
])('%s is of a %s', (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});
