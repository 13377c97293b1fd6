import { expect, test } from 'vitest';
import { endFor, stopFor, type EndCredential } from '../../../../src/api/streams/stopping.ts';
import type { ListedStream } from '../../../../src/access/streams/listed-stream.ts';
import type { KeptStop, Stops } from '../../../../src/accounts/stops.ts';
import { unconditional } from '../../../../src/store/permit.ts';

const stream: ListedStream = {
  id: 's1',
  kind: 'answer',
  page: undefined as never,
  user: 'olaf',
  role: 'family',
  source: 'session',
  session: 'sid',
  token: undefined,
  path: '/vod/front',
  cameras: ['front'],
  since: 0,
  address: '192.0.2.7',
  agent: undefined,
};
const now = 1_000_000;

async function stopped(how: 'now' | 'hour', changes: Partial<ListedStream>) {
  const added: object[] = [];
  const add: Stops['add'] = async (stop) => {
    added.push(stop);
    return { ...stop, id: 'stop', at: now } satisfies KeptStop;
  };
  await stopFor(how, { ...stream, ...changes }, { add }, { by: 'root', now, permit: unconditional });
  return added;
}

test.each<[what: string, changes: Partial<ListedStream>, kind: string, name: string]>([
  ['a user', {}, 'account', 'olaf'],
  ['a user with a bearer', { source: 'bearer' }, 'account', 'olaf'],
  ['a user of the proxy', { source: 'proxy', session: undefined }, 'proxy', 'olaf'],
  ['an API token', { source: 'api-token', token: 't1', session: undefined }, 'api-token', 't1'],
  ['a share', { source: 'share', user: 'share:x', session: undefined }, 'share', 'x'],
])(
  'a stop for an hour is for all that %s watches, and one for now for these cameras',
  async (_, changes, kind, name) => {
    const whom = { kind, name, by: 'root' };
    expect(await stopped('hour', changes)).toEqual([
      { ...whom, session: undefined, cameras: undefined, until: now + 3_600_000 },
    ]);
    const { session } = { ...stream, ...changes };
    expect(await stopped('now', changes)).toEqual([
      { ...whom, session, cameras: ['front'], until: now + 10_000 },
    ]);
    expect(await stopped('now', { ...changes, cameras: [] })).toMatchObject([{ cameras: undefined }]);
  },
);

test('a client without a name is only cut', async () => {
  for (const source of ['internal', undefined] as const) {
    expect(await stopped('now', { source })).toEqual([]);
    await expect(stopped('hour', { source })).rejects.toMatchObject({ code: 'stream_nameless' });
  }
});

test.each<[what: string, changes: Partial<ListedStream>, ended: string]>([
  ['a credential of a feature', { token: 't1' }, 'ended by the feature'],
  ['one that has ended', { token: 'over' }, 'stream_unknown'],
  ['a session', {}, 'session_ended of olaf'],
  ['a session that has ended', { session: 'over' }, 'stream_unknown'],
  ['nothing to end', { session: undefined }, 'stream_nameless'],
])('for good ends %s', async (_, changes, ended) => {
  const byFeature: EndCredential = async ({ token }) =>
    token === undefined
      ? 'other'
      : token === 'over'
        ? undefined
        : { event: 'api_token_revoked', object: 'ended by the feature', detail: {} };
  const ends: string[] = [];
  const activeSessions = {
    find: async (id: string) => (id === 'sid' ? { username: 'olaf' } : undefined),
    end: async ({ username }: { username: string }) => void ends.push(username),
  };
  const found = await endFor(
    { ...stream, ...changes },
    { activeSessions: activeSessions as never, endCredential: [async () => 'other', byFeature] },
    unconditional,
  ).catch((error: { code: string }) => error);
  if ('code' in found) expect(found.code).toBe(ended);
  else if (found.event === 'session_ended') expect(`${found.event} of ${found.object}`).toBe(ended);
  else expect(found.object).toBe(ended);
  expect(ends).toEqual(ended.startsWith('session_ended') ? ['olaf'] : []);
});
