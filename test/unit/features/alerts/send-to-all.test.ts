import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { AlertTarget } from '../../../../src/config/resolve-notifications.ts';
import {
  alertSettings,
  sendTest,
  sendTestTo,
  sentOf,
  type AlertSettings,
} from '../../../../src/features/alerts/send-to-all.ts';
import { alertsOf, startHttpReceiver, startMailServer } from '../../../support/receivers.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  request.resume().once('end', () => response.writeHead(Number(request.url?.slice(1))).end());
});
let origin: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const webhook = (path: string, mayBePrivate = true): AlertTarget => ({
  type: 'webhook',
  url: `${origin}${path}`,
  secret: 's',
  mayBePrivate,
});
const settingsOf = (...targets: readonly AlertTarget[]): AlertSettings => ({
  notifications: { targets, events: new Set(), pushServices: [] },
  house: 'Willow Lane',
  pageAt: (page) => `https://gate.example/postern${page}`,
});

test('each target is tried once, whatever the others do, and its fault names no address', async () => {
  asked.length = 0;
  const results = await sendTest(
    settingsOf(
      webhook('/500'),
      webhook('/200'),
      webhook('/302'),
      webhook('/200', false),
      { type: 'ntfy', url: 'http://127.0.0.1:1/topic-secret', token: undefined, mayBePrivate: true },
      { type: 'mail', url: 'smtp://user:pass@127.0.0.1:1', from: 'a@b.example', to: [], mayBePrivate: true },
    ),
    'ada',
    0,
  );
  expect(results.map(({ type, fault }) => [type, fault])).toEqual([
    ['webhook', 'it answered 500'],
    ['webhook', undefined],
    ['webhook', 'it redirects (302), which is not followed: write its last address'],
    ['webhook', '127.0.0.1 is a private address'],
    ['ntfy', expect.stringContaining('it cannot be reached')],
    ['mail', expect.stringContaining('no recipients')],
  ]);
  expect(asked.toSorted((a, b) => a.localeCompare(b))).toEqual(['/200', '/302', '/500']);
  expect(JSON.stringify(results)).not.toMatch(/topic-secret|pass@|user:/);
});

test.each<[publicUrl: string | undefined, basePath: string, page: string | undefined]>([
  [undefined, '', undefined],
  [undefined, '/cameras', undefined],
  ['https://gate.example', '', 'https://gate.example/postern/account'],
  ['https://gate.example', '/cameras', 'https://gate.example/cameras/postern/account'],
])('with the public URL %s and the base path "%s", alerts link to %s', (publicUrl, basePath, page) => {
  const { notifications } = settingsOf();
  const settings = alertSettings({ notifications, ui: {} as never, publicUrl, basePath });
  expect([settings.house, settings.pageAt('/account')]).toEqual(['Postern', page]);
  expect(alertSettings({ notifications, ui: { name: 'Home' } as never, publicUrl, basePath }).house).toBe(
    'Home',
  );
});

test('an alert about one’s own account leads to it, and any other to Home', () => {
  const alert = { event: 'test', at: 0, count: 1, user: 'ada' } as const;
  expect(sentOf(settingsOf(), 'id', alert, true).link).toBe('https://gate.example/postern/account');
  expect(sentOf(settingsOf(), 'id', alert).link).toBe('https://gate.example/postern/');
});

const mail = (url: string, to: readonly string[], mayBePrivate = true): AlertTarget => ({
  type: 'mail',
  url,
  from: 'gate@home.example',
  to,
  mayBePrivate,
});

test.each([
  ['an answer', () => webhook('/204'), undefined],
  ['the last kind of success', () => webhook('/299'), undefined],
  ['the first redirect', () => webhook('/300'), 'redirects'],
  ['the last redirect', () => webhook('/399'), 'redirects'],
  ['a wrong request', () => webhook('/400'), 'refused'],
  ['a server error', () => webhook('/500'), 'refused'],
  ['a missing token', () => webhook('/401'), 'login_refused'],
  ['a refused token', () => webhook('/403'), 'login_refused'],
  ['a redirect', () => webhook('/302'), 'redirects'],
  ['a private address', () => webhook('/204', false), 'private_address'],
  ['a closed port', () => ({ ...webhook('/204'), url: 'http://127.0.0.1:1/' }), 'unreachable'],
  ['an unknown name', () => ({ ...webhook('/204'), url: 'http://no.such.name.invalid/' }), 'name_unknown'],
  ['no recipients', () => mail('smtp://127.0.0.1:1', []), 'no_recipients'],
  ['a mail server that is away', () => mail('smtp://127.0.0.1:1', ['a@b.example']), 'unreachable'],
  ['an unknown mail server', () => mail('smtp://no.such.name.invalid', ['a@b.example']), 'name_unknown'],
  ['a private mail server', () => mail('smtp://127.0.0.1:1', ['a@b.example'], false), 'private_address'],
])('a test names %s', async (_, target, fault) => {
  expect(await sendTestTo(target(), settingsOf(), { user: 'ada', now: 0 })).toBe(fault);
});

test('a test says who sent it', async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const settings = settingsOf({ ...webhook(''), url: receiver.url });
  await sendTest(settings, 'ada', 1_000);
  expect(alertsOf(receiver.received)).toEqual([
    {
      id: expect.any(String),
      event: 'test',
      time: '1970-01-01T00:00:01.000Z',
      user: 'ada',
      message: 'ada sent this test. Alerts look like this.',
      count: 1,
    },
  ]);
});

test('a test names a wrong password of a mail server', async () => {
  const smtp = await startMailServer({ user: 'ada', pass: 'right' });
  onTestFinished(smtp.close);
  const url = smtp.url.replace('//', '//ada:wrong@');
  expect(await sendTestTo(mail(url, ['a@b.example']), settingsOf(), { user: 'ada', now: 0 })).toBe(
    'login_refused',
  );
});

test('a test of a target that never answers ends within 15 seconds', async () => {
  const waited: number[] = [];
  const after = (milliseconds: number, run: () => void) => {
    waited.push(milliseconds);
    run();
    return () => undefined;
  };
  expect(await sendTestTo(webhook('/204'), settingsOf(), { user: 'ada', now: 0 }, { after })).toBe(
    'no_answer',
  );
  expect(waited).toEqual([14_000]);
});
