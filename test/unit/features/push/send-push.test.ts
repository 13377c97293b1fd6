import webPush from 'web-push';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPushSender, pushText } from '../../../../src/features/push/send-push.ts';
import { browserKeys, startPushService } from '../../../support/push-service.ts';
import type { Review } from '../../../../src/policy/recorder/review.ts';

const rows: ReadonlyArray<readonly [status: number, result: string]> = [
  [200, 'sent'],
  [201, 'sent'],
  [204, 'sent'],
  [299, 'sent'],
  [404, 'gone'],
  [410, 'gone'],
  [302, 'the push service answered 302'],
  [400, 'the push service answered 400'],
  [403, 'the push service answered 403'],
  [429, 'the push service answered 429'],
  [500, 'the push service answered 500'],
];

let service: Awaited<ReturnType<typeof startPushService>>;
beforeAll(async () => {
  service = await startPushService((path) => Number(path.slice(1)));
});
afterAll(() => service.close());

const options = {
  keys: webPush.generateVAPIDKeys(),
  subject: 'mailto:admin@example.com',
  mayBePrivate: true,
};
const browser = browserKeys();
let now = 1_793_000_000_000;
const sendPush = createPushSender({ now: () => now });
const send = (endpoint: string, more: Partial<typeof options> = {}) =>
  sendPush({ endpoint, publicKey: browser.keys.p256dh, auth: browser.keys.auth }, 'a person', {
    ...options,
    ...more,
  });

describe('a push', () => {
  test.each(rows)('whose service answers %i: %s', async (status, result) => {
    expect(await send(`${service.origin}/${status}`).catch((error: Error) => error.message)).toBe(result);
  });

  test('is encrypted for its browser, urgent, and kept for an hour', async () => {
    service.received.length = 0;
    await send(`${service.origin}/201`);
    const [got] = service.received;
    expect(got?.headers).toMatchObject({ ttl: '3600', urgency: 'high', 'content-encoding': 'aes128gcm' });
    expect(got?.body.toString()).not.toContain('a person');
    expect(browser.decrypt(got?.body ?? Buffer.alloc(0))).toBe('a person');
  });

  test.each<readonly [string, { readonly after?: number } & Partial<typeof options>, boolean]>([
    ['is reused within the hour', { after: 3_599_999 }, true],
    ['is made again after an hour', { after: 3_600_000 }, false],
    ['is made again when the clock was set back', { after: -1 }, false],
    ['is another one for another contact', { subject: 'mailto:other@example.com' }, false],
    ['is another one for other keys', { keys: webPush.generateVAPIDKeys() }, false],
  ])('has a signature that %s', async (_, { after = 0, ...more }: { after?: number }, isSame) => {
    service.received.length = 0;
    now += 86_400_000;
    await send(`${service.origin}/201`);
    now += after;
    await send(`${service.origin}/201`, more);
    const [first, second] = service.received.map(({ headers }) => headers['authorization']);
    expect(first).toMatch(/^vapid t=/);
    expect(second === first).toBe(isSame);
  });

  test('has a signature for each push service', async () => {
    const other = await startPushService();
    service.received.length = 0;
    await send(`${service.origin}/201`);
    await send(`${other.origin}/201`);
    const audiences = [...service.received, ...other.received].map(({ headers }) => {
      const [, claims = ''] = String(headers['authorization']).split('.');
      return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string }).aud;
    });
    await other.close();
    expect(audiences).toEqual([service.origin, other.origin]);
  });

  test('goes to no private address, unless the operator names it', async () => {
    service.received.length = 0;
    await expect(send(`${service.origin}/201`, { mayBePrivate: false })).rejects.toThrow(
      '127.0.0.1 is a private address',
    );
    expect(service.received).toEqual([]);
  });
});

describe('the text of a push', () => {
  const review: Review = {
    id: '1793.5-abc',
    camera: 'front_door',
    startTime: 1_793_000_000.6,
    labels: ['person'],
    event: undefined,
  };

  const rows: ReadonlyArray<
    readonly [what: string, review: Partial<Review>, name: string | undefined, shown: object]
  > = [
    ['a person', {}, undefined, { title: 'front door', body: 'Person', page: 'explore' }],
    ['by the name of the camera', {}, 'Front gate', { title: 'Front gate' }],
    ['two labels', { labels: ['delivery_van', 'dog'] }, undefined, { body: 'Delivery van, dog' }],
    ['without a label', { labels: [] }, undefined, { body: 'Something' }],
    ['with its event', { event: '1.5-x' }, undefined, { page: 'events/1.5-x' }],
    [
      'whole seconds, and the review that it replaces',
      {},
      undefined,
      { at: 1_793_000_001, tag: '1793.5-abc' },
    ],
    ['a long name', {}, 'x'.repeat(200), { title: expect.stringMatching(/^x{1,79}.?$/u) }],
    ['no control characters', {}, 'a\nb', { title: expect.not.stringContaining('\n') }],
  ];

  test.each(rows)('%s', (_, more, name, shown) => {
    expect(JSON.parse(pushText({ ...review, ...more }, name, 'en'))).toMatchObject(shown);
  });

  test('in the language of the browser', () => {
    const shown = JSON.parse(pushText({ ...review, labels: [] }, undefined, 'de')) as Record<string, string>;
    expect(shown['language']).toBe('de');
    expect(shown['body']).not.toBe('Something');
    const labels = ['cat', 'package', 'delivery_van'];
    const named = JSON.parse(pushText({ ...review, labels }, undefined, 'de')) as Record<string, string>;
    expect(named['body']).toBe('Katze, Paket, delivery van');
  });
});
