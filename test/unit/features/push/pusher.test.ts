import { expect, test } from 'vitest';
import { createPusher } from '../../../../src/features/push/pusher.ts';
import type { Review } from '../../../../src/policy/recorder/review.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';

interface Found {
  readonly id: string;
  readonly username: string;
  readonly endpoint: string;
}

const review = (id: string) => ({ id }) as Review;

/** @param services by endpoint: what a push service does; by default it takes a push */
function pushing(
  browsers: Readonly<Record<string, readonly string[]>>,
  services: Readonly<Record<string, () => Promise<'sent' | 'gone'>>> = {},
) {
  const found = Object.entries(browsers).flatMap(([username, ids]) =>
    ids.map((id): Found => ({ id, username, endpoint: `https://push.example/${id}` })),
  );
  const sent: string[] = [];
  const tried: string[] = [];
  let elapsed = 0;
  let isStoreAway = false;
  const lines: string[] = [];
  const pusher = createPusher<Found>({
    list: async () => {
      if (isStoreAway) throw new Error('the store is away');
      return found;
    },
    find: async (id) => found.find((one) => one.id === id),
    decide: async () => 'send',
    send: async ({ id }, { id: of }) => {
      tried.push(`${of} to ${id}`);
      const result = await (services[id] ?? (async () => 'sent' as const))();
      sent.push(`${of} to ${id}`);
      return result;
    },
    drop: async () => undefined,
    logger: createLogger('info', { write: (line) => void lines.push(line) }),
    rest: 0,
    elapsed: () => elapsed,
  });
  return {
    pusher,
    sent,
    tried,
    lines,
    later: (milliseconds: number) => void (elapsed += milliseconds),
    storeIsAway: (isAway: boolean) => void (isStoreAway = isAway),
  };
}

test('endpoints that do not answer delay no other user', async () => {
  const never = () => new Promise<never>(() => undefined);
  const slow = Array.from({ length: 20 }, (_, index) => `slow${index}`);
  const { pusher, sent, tried } = pushing(
    { guest: slow, vera: ['phone', 'tablet'], olaf: ['laptop'] },
    Object.fromEntries(slow.map((id) => [id, never])),
  );
  for (const id of ['r1', 'r2', 'r3']) pusher.push(review(id));
  await expect.poll(() => sent.length).toBe(9);
  expect(sent.toSorted()).toEqual(
    ['laptop', 'phone', 'tablet']
      .flatMap((id) => ['r1', 'r2', 'r3'].map((of) => `${of} to ${id}`))
      .toSorted(),
  );
  expect(tried.filter((text) => text.includes('slow'))).toHaveLength(4);
  pusher.close();
});

test('an endpoint that fails rests, and the other browsers of its user get their pushes', async () => {
  let isBroken = true;
  const broken = async () => {
    if (isBroken) throw new Error('away');
    return 'sent' as const;
  };
  const { pusher, sent, tried, later } = pushing({ vera: ['broken', 'phone'] }, { broken });
  const push = async (id: string) => {
    pusher.push(review(id));
    await pusher.idle();
  };
  await push('r1');
  await push('r2');
  expect(tried).toEqual(['r1 to broken', 'r1 to phone', 'r2 to phone']);
  later(10_000);
  await push('r3');
  later(10_000);
  await push('r4');
  expect(tried.filter((text) => text.includes('broken'))).toEqual(['r1 to broken', 'r3 to broken']);
  isBroken = false;
  later(10_000);
  await push('r5');
  await push('r6');
  expect(sent.filter((text) => text.includes('broken'))).toEqual(['r5 to broken', 'r6 to broken']);
});

test('a review goes to everyone once, in turn', async () => {
  const { pusher, sent } = pushing({ vera: ['phone', 'tablet'], olaf: ['laptop'] });
  pusher.push(review('r1'));
  pusher.push(review('r1'));
  await pusher.idle();
  expect(sent).toEqual(['r1 to phone', 'r1 to laptop', 'r1 to tablet']);
});

test('a review that comes while the store is away is logged, and sent when the recorder sends it again', async () => {
  const { pusher, sent, lines, storeIsAway } = pushing({ vera: ['phone'] });
  storeIsAway(true);
  pusher.push(review('r1'));
  await pusher.idle();
  expect(sent).toEqual([]);
  expect(lines.join('')).toContain('the store is away');
  storeIsAway(false);
  pusher.push(review('r1'));
  await pusher.idle();
  expect(sent).toEqual(['r1 to phone']);
});
