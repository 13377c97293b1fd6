import { expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../../src/errors.ts';
import { openShare } from '../../../../src/features/shares/open.ts';
import { askEndpoint } from '../../api/ask-endpoint.ts';

const id = 'x'.repeat(20);
const share = { id, kind: 'event', camera: 'front', creator: { user: 'vera' }, from: 1_000, until: 2_000 };

/** A visitor opens a share. @param refused why it stays closed */
async function open({ refused, isFirst = true, of = id }: Facts = {}) {
  const unlocked: object[] = [];
  const { ask, recorded } = askEndpoint({
    endpoint: openShare,
    services: {
      unlockShare: async (presented: object) => {
        unlocked.push(presented);
        if (refused !== undefined) throw new AppError(refused);
        return { share: { ...share, expiresAt: 3_000 }, media: { kind: 'event', id: 'e', hasClip: true } };
      },
      shareCookie: { issue: async (opened: { id: string }) => `cookie of ${opened.id}` },
      shareUnlocks: { note: () => isFirst },
    },
  });
  const { status, headers, body } = await ask(`/postern/api/shares/${of}/open`, {
    secret: 's',
    password: 'p',
  });
  const json = JSON.parse(body) as { readonly code?: string; readonly media?: object };
  return { status, headers, json, recorded, unlocked };
}

interface Facts {
  readonly refused?: ErrorCode;
  readonly isFirst?: boolean;
  readonly of?: string;
}

const openedBy = { source: 'share', address: '192.0.2.1', object: id };
const failure = (reason: string, object: string | undefined = id) => [
  { event: 'share_open_failed', address: '192.0.2.1', object, reason },
];

test('an opened share gives its cookie, and is neither stored nor indexed', async () => {
  const { status, headers, json, unlocked } = await open();
  expect([status, unlocked]).toEqual([200, [{ id, address: '192.0.2.1', secret: 's', password: 'p' }]]);
  expect(json).toMatchObject({
    kind: 'event',
    cameras: ['front'],
    label: null,
    from: 1,
    until: 2,
    expires_at: 3,
  });
  expect(Object.values(json.media ?? {})).toContain(`${id}/media/vod/event/e/master.m3u8`);
  const named = ['set-cookie', 'cache-control', 'referrer-policy', 'x-robots-tag'];
  expect(named.map((name) => headers.get(name))).toEqual([
    `cookie of ${id}`,
    'no-store',
    'no-referrer',
    'noindex',
  ]);
});

test.each<[what: string, facts: Facts, recorded: readonly object[]]>([
  [
    'the first opening',
    {},
    [{ ...openedBy, event: 'share_opened', detail: { made_by: 'vera', shows: 'event of front' } }],
  ],
  ['another one soon after', { isFirst: false }, []],
  ['a visit before the password is typed', { refused: 'share_password_needed' }, []],
  ['a wrong password', { refused: 'share_password_wrong' }, failure('share_password_wrong')],
  ['a wrong secret', { refused: 'share_over' }, failure('share_over')],
  [
    'what is no id',
    { refused: 'share_over', of: 'short' },
    [{ ...failure('share_over')[0], object: undefined }],
  ],
  ['too many guesses', { refused: 'too_many_requests' }, failure('too_many_requests')],
])('the audit has of %s', async (_, facts, recorded) => {
  const answer = await open(facts);
  expect(answer.recorded).toEqual(recorded);
  if (facts.refused !== undefined) {
    expect(answer.json.code).toBe(facts.refused);
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
});
