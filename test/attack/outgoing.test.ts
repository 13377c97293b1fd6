import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import webPush from 'web-push';
import { alertEvents, type AlertEvent } from '../../src/config/notifications-section.ts';
import type { AlertTarget } from '../../src/config/resolve-notifications.ts';
import { systemClock } from '../../src/clock.ts';
import { createPushSender, pushText } from '../../src/features/push/send-push.ts';
import { sendToAll } from '../../src/features/alerts/send-to-all.ts';
import { browserKeys, startPushService } from '../support/push-service.ts';
import { alertsOf, startHttpReceiver, startMailServer } from '../support/receivers.ts';
import { outgoingRows } from './outgoing-rows.ts';

/* Messages that leave, as their receivers get them: a name changes no header, no address, and nothing of the page. */

const events = Object.keys(alertEvents) as AlertEvent[];
const plainNames = { user: 'vera', by: 'olaf', address: '192.0.2.7', object: 'Hall' };
let hook: Awaited<ReturnType<typeof startHttpReceiver>>;
let topic: typeof hook;
let smtp: Awaited<ReturnType<typeof startMailServer>>;
let targets: readonly AlertTarget[];

beforeAll(async () => {
  [hook, topic, smtp] = await Promise.all([startHttpReceiver(), startHttpReceiver(), startMailServer()]);
  const common = { mayBePrivate: true };
  targets = [
    { type: 'webhook', url: `${hook.url}/hook`, secret: 'a secret of the webhook', ...common },
    { type: 'ntfy', url: `${topic.url}/cameras`, token: 'tk_mine', ...common },
    { type: 'mail', url: smtp.url, from: 'gate@home.example', to: ['olaf@home.example'], ...common },
  ];
});
afterAll(async () => {
  await Promise.all([hook, topic, smtp].map((receiver) => receiver.close()));
});

/** Sends one alert to all. @returns what the receivers got */
async function sent(event: AlertEvent, names: Partial<typeof plainNames>, house = 'Willow Lane') {
  for (const list of [hook.received, topic.received, smtp.mails]) list.splice(0);
  const settings = {
    notifications: { targets, events: new Set(events), pushServices: [] },
    house,
    pageAt: (page: string) => `https://home.example/postern${page}`,
  };
  const results = await sendToAll(settings, { ...plainNames, ...names, event, at: 0, count: 1 }, 0);
  expect(results.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined]);
  expect([hook.received.length, topic.received.length, smtp.mails.length]).toEqual([1, 1, 1]);
  const [[posted], [published], [mail]] = [hook.received, topic.received, smtp.mails] as const;
  return { posted, published, mail };
}
type Sent = Awaited<ReturnType<typeof sent>>;

/** The names of the headers of a mail, and its parts without their transfer encodings. */
function read(mail: string) {
  const [head = '', ...rest] = mail.split('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? '';
  const parts = rest
    .join('\r\n\r\n')
    .split(`--${boundary}`)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '--')
    .map((part) => {
      const [lines = '', ...body] = part.split('\r\n\r\n');
      const isBase64 = /encoding: base64/i.test(lines);
      const type = /Content-Type: ([\w/]+)/.exec(lines)?.[1];
      return { type, text: (isBase64 ? fromBase64 : fromQuoted)(body.join('\r\n\r\n')) };
    });
  return { names: [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name), parts };
}
const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString();
const fromQuoted = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
const tagsOf = (html = '') =>
  [...html.matchAll(/<[^>]*?(?=["\s/>])|(?<= )[a-z]+(?==")/gi)].map(([tag]) => tag);

/** What no name may change. */
const shapeOf = ({ posted, published, mail }: Sent) => {
  const { names, parts } = read(mail?.text ?? '');
  return {
    hook: [posted?.url, Object.keys(posted?.headers ?? {})],
    topic: [published?.url, { ...published?.headers, 'content-length': '', host: '' }],
    mail: [mail?.from, mail?.to, names, parts.map(({ type }) => type), tagsOf(parts[1]?.text)],
  };
};

const oneLine = /^[^\p{C}\p{Zl}\p{Zp}]{1,400}$/u;
const fields = ['user', 'by', 'address', 'object'] as const;

let plain: ReturnType<typeof shapeOf>;
beforeAll(async () => {
  plain = shapeOf(await sent('token_made', {}));
  expect(plain.mail[3]).toEqual(['text/plain', 'text/html']);
  expect(plain.mail[4]?.length).toBeGreaterThan(20);
});

describe.each(outgoingRows)('%s', (_, text) => {
  test('in an alert', async () => {
    const names = Object.fromEntries(fields.map((field) => [field, text]));
    const got = await sent('token_made', names, text);
    expect(shapeOf(got)).toEqual(plain);
    expect(got.published?.body).toMatch(oneLine);
    const [alert] = alertsOf(hook.received);
    expect(alert).toMatchObject({ event: 'token_made', user: text, by: text });
    expect(alert?.message).toMatch(oneLine);
  });

  test('in a push', async () => {
    const service = await startPushService();
    try {
      const browser = browserKeys();
      const { p256dh: publicKey, auth } = browser.keys;
      const review = { id: '1', camera: text, labels: [text, text], startTime: 0, event: undefined };
      const shown = pushText(review, text, 'en');
      const options = {
        keys: webPush.generateVAPIDKeys(),
        subject: 'https://home.example',
        mayBePrivate: true,
      };
      const target = { endpoint: `${service.origin}/one`, publicKey, auth };
      expect(await createPushSender(systemClock)(target, shown, options)).toBe('sent');
      const [push] = service.received;
      const { title, body } = JSON.parse(browser.decrypt(push?.body ?? Buffer.alloc(0))) as typeof plainPush;
      expect([title, body].join(' ')).toMatch(oneLine);
      expect([title.length, body.length].map((length) => length <= 160)).toEqual([true, true]);
      expect(Object.keys(push?.headers ?? {}).toSorted()).toEqual(pushHeaders);
      // RFC 8291, 4: services refuse more than 4,096 bytes.
      expect(push?.body.length).toBeLessThan(4_096);
    } finally {
      await service.close();
    }
  });
});

const plainPush = { title: '', body: '' };
const pushHeaders = [
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'ttl',
  'urgency',
  'user-agent',
];
