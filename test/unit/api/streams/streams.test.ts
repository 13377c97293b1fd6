import { expect, test } from 'vitest';
import { listStreams, stopStream } from '../../../../src/api/streams/streams.ts';
import type { Identity } from '../../../../src/policy/identity.ts';
import { askEndpoint } from '../ask-endpoint.ts';

type Source = Identity['source'];

const openStream = (id: string, user: string, source: Source | undefined, since: number) => ({
  id,
  kind: 'answer',
  page: undefined,
  user,
  role: 'family',
  source,
  session: undefined,
  token: undefined,
  path: '/vod/front',
  cameras: ['front'],
  since,
  address: id === 'here' ? '192.0.2.1' : '198.51.100.7',
  agent: undefined,
});

const all = [
  openStream('screen', 'olaf', 'display', 9_000),
  openStream('token', 'olaf', 'api-token', 8_000),
  openStream('phone', 'olaf', 'session', 7_000),
  openStream('app', 'olaf', 'bearer', 6_000),
  openStream('proxy', 'olaf', 'proxy', 5_000),
  openStream('vera', 'vera', 'session', 4_000),
  openStream('here', 'anonymous', 'internal', 3_000),
  openStream('there', 'anonymous', 'internal', 2_000),
];

const list = async (user: string, role: string, source: Source, query = '') => {
  const services = { streamsOfGate: { list: async () => all } };
  const { body } = await askEndpoint({ endpoint: listStreams, services, user, role, source }).ask(
    `/postern/api/streams${query}`,
  );
  const listed = JSON.parse(body) as ReadonlyArray<{ id: string; own: boolean }>;
  return {
    ids: listed.map(({ id }) => id),
    own: listed.filter(({ own }) => own).map(({ id }) => id),
  };
};

const ofOlaf = ['proxy', 'app', 'phone', 'token', 'screen'];
const everyone = ['there', 'here', 'vera', ...ofOlaf];
const byPerson = ['proxy', 'app', 'phone'];

test.each<[who: string, asker: Parameters<typeof list>, ids: readonly string[], own: readonly string[]]>([
  ['a user', ['olaf', 'family', 'session'], ofOlaf, byPerson],
  ['a user with a bearer', ['olaf', 'family', 'bearer'], ofOlaf, byPerson],
  ['a user of the proxy', ['olaf', 'family', 'proxy'], ofOlaf, byPerson],
  ['a screen', ['olaf', 'family', 'display'], ofOlaf, []],
  ['another user', ['vera', 'family', 'session'], ['vera'], ['vera']],
  ['an admin', ['vera', 'admin', 'session'], everyone, ['vera']],
  ['an admin, for their own', ['vera', 'admin', 'session', '?own'], ['vera'], ['vera']],
  ['an internal client', ['anonymous', 'admin', 'internal'], everyone, ['here']],
])('%s gets the oldest first, and knows their own', async (_, asker, ids, own) => {
  expect(await list(...asker)).toEqual({ ids, own });
});

/** An admin stops a stream. @returns what was done, in this order */
async function stop(id: string, query: string, { source = 'session', isCut = true }: Facts = {}) {
  const done: string[] = [];
  const { ask, recorded } = askEndpoint({
    endpoint: stopStream,
    services: {
      streamsOfGate: {
        list: async () => (isCut ? all : []),
        cut: async (cut: string) => void done.push(`cut ${cut}`),
      },
      stops: {
        add: async (wanted: { name: string; cameras?: readonly string[]; until: number }) => {
          done.push(`stop ${wanted.name} ${wanted.cameras?.join(' ') ?? 'everywhere'}`);
          return { ...wanted, id: 'stop' };
        },
      },
      endCredential: [
        async () => {
          done.push('end');
          return { event: 'api_token_revoked', object: 't1' };
        },
      ],
      clock: { now: () => 1_000_000 },
    },
    user: 'root',
    role: 'admin',
    source,
  });
  const { status, body } = await ask(`/postern/api/streams/${id}${query}`);
  return { status, body, done, events: recorded.map(({ event }) => event) };
}

interface Facts {
  readonly source?: Source;
  readonly isCut?: boolean;
}

test.each<[query: string, done: readonly string[], events: readonly string[], answer: object]>([
  ['', ['stop olaf front', 'cut phone'], ['stream_stopped'], { stop: 'stop', until: 1_010 }],
  ['?for=now', ['stop olaf front', 'cut phone'], ['stream_stopped'], { stop: 'stop', until: 1_010 }],
  ['?for=hour', ['stop olaf everywhere', 'cut phone'], ['stream_stopped'], { stop: 'stop', until: 4_600 }],
  ['?for=good', ['end', 'cut phone'], ['api_token_revoked', 'stream_stopped'], { stop: null, until: null }],
])(
  'a stop with the query "%s" comes before the cut, and is in the audit',
  async (query, done, events, answer) => {
    const found = await stop('phone', query);
    expect([found.status, found.done, found.events]).toEqual([200, done, events]);
    expect(JSON.parse(found.body)).toEqual(answer);
  },
);

test.each<[what: string, asked: Parameters<typeof stop>, status: number]>([
  ['a stream that is not there', ['none', ''], 404],
  ['a stream that ended meanwhile', ['phone', '', { isCut: false }], 404],
  ['a way that there is not', ['phone', '?for=ever'], 422],
])('nothing is done for %s', async (_, asked, status) => {
  const found = await stop(...asked);
  expect([found.status, found.done, found.events]).toEqual([status, [], []]);
});

test('an API token ends nothing for good', async () => {
  const { done, events } = await stop('phone', '?for=good', { source: 'api-token' });
  expect([done, events]).toEqual([[], []]);
});
