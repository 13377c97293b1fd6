import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { storePath } from '../../src/store/sqlite/open-store.ts';
import { goodPassword } from '../support/log-in.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { openShare, secretOf, type MadeShare } from '../support/share.ts';
import {
  frontDoor,
  backYard,
  thumbnail,
  asked,
  mediaOf,
  codeOf,
  startShareSite,
} from '../support/share-site.ts';

const { reached, address, shareVisitor, make, opened, see, openingsOf, gateway, admin, vera } =
  startShareSite();

describe('a share of one event', () => {
  let share: MadeShare;
  let cookie: string;
  beforeAll(async () => {
    share = await make();
    cookie = await opened(share);
  });

  test.each<[what: string, path: string]>([
    ['another event', `api/events/${backYard}/thumbnail.jpg`],
    ['a dot segment', `api/events/${frontDoor}/../${backYard}/thumbnail.jpg`],
    ['an encoded dot segment', `api/events/${frontDoor}/%2e%2e/${backYard}/thumbnail.jpg`],
    ['an encoded slash', `api/events/${frontDoor}%2f..%2f${backYard}/thumbnail.jpg`],
    ['the gate', 'postern/api/profile'],
    ['a share in a share', `postern/share/x/media/${thumbnail}`],
  ])('is not good for %s', async (_, path) => {
    reached.length = 0;
    const answer = await see(share, cookie, path);
    expect([401, 403, 404]).toContain(answer.status);
    expect(reached).toEqual([]);
  });

  test.each<[what: string, request: (uri: string) => Partial<RawRequest>]>([
    ['POST', () => ({ method: 'POST' })],
    ['a body', () => ({ body: 'x' })],
    ['a WebSocket', () => ({ headers: [...upgrade] })],
    ['a share of another spelling', (uri) => ({ uri: uri.replace('/postern/', '/%70ostern/') })],
    ['another share', (uri) => ({ uri: uri.replace(share.id, `${share.id}x`) })],
    ['no share', (uri) => ({ uri: uri.replace(`${share.id}/`, '') })],
  ])('is not good for %s', async (_, more) => {
    reached.length = 0;
    const uri = mediaOf(share);
    const answer = await sendRaw(address(), asked(uri, cookie, more(uri)), true);
    expect([400, 401, 403, 404]).toContain(answer.status);
    expect(reached).toEqual([]);
  });

  test('passes on the answer, which no cache or search engine keeps', async () => {
    const { headers } = await see(share, cookie);
    expect([...headers.keys()].toSorted()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-security-policy',
      'date',
      'referrer-policy',
      'x-content-type-options',
      'x-postern-decision',
      'x-robots-tag',
    ]);
    expect(headers.get('cache-control')).toEqual(['private, no-store']);
  });

  test.each(['/api/profile', '/api/events', '/auth', '/postern/api/shares', `/${thumbnail}`, '/'])(
    'has a cookie that is no identity at %s',
    async (uri) => {
      reached.length = 0;
      const answer = await sendRaw(address(), asked(uri, cookie), true);
      expect([303, 401]).toContain(answer.status);
      const asSession = { uri, headers: [['Cookie', `session_token=${cookie}`] as const] };
      expect([303, 401]).toContain((await sendRaw(address(), asSession, true)).status);
      expect(reached).toEqual([]);
    },
  );
});

const upgrade = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Sec-WebSocket-Version', '13'],
] as const;

describe('the secret', () => {
  test('is not unlocked by a preview of the link', async () => {
    const share = await make();
    for (const [method, uri] of [
      ['GET', `/postern/share/${share.id}`],
      ['HEAD', `/postern/share/${share.id}`],
      ['GET', `/postern/api/shares/${share.id}/open`],
      ['POST', `/postern/api/shares/${share.id}/open`],
      ['GET', mediaOf(share)],
    ] as const) {
      reached.length = 0;
      const answer = await shareVisitor().send(method, uri, method === 'POST' ? {} : undefined);
      expect(answer.headers.has('set-cookie'), `${method} ${uri}`).toBe(false);
      expect(reached).toEqual([]);
    }
    expect(await openingsOf(share)).toBe(0);
  });

  test('is in no log, record, list or answer, nor are the password and the cookie', async () => {
    const share = await make({ password: 'four walls', label: 'Garden' });
    await openShare(shareVisitor(), share);
    await openShare(shareVisitor(), share, 'no four walls');
    const cookie = await opened(share, 'four walls');
    await see(share, cookie);
    await see(share, cookie, 'api/config');
    const audit = await admin().send('GET', '/postern/api/audit?limit=200');
    const list = await admin().send('GET', '/postern/api/shares');
    const everything = JSON.stringify([gateway().log, audit.body, list.body]);
    expect(everything).toContain(share.id);
    for (const secret of [secretOf(share), 'four walls', cookie]) expect(everything).not.toContain(secret);
    await vera().send('DELETE', `/postern/api/shares/${share.id}`);
  });
});

describe('guesses', () => {
  test('are limited by address, and leave the login of that address alone', async () => {
    const share = await make();
    const wrong = { url: share.url.replace(/#.*/, `#${'x'.repeat(43)}`) };
    const guesser = shareVisitor();
    const statuses = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await openShare(guesser, wrong)).answer.status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429]);
    expect((await openShare(guesser, share)).answer.status).toBe(429);
    const login = await guesser.send('POST', '/api/login', { user: 'vera', password: goodPassword });
    expect(login.status).toBe(200);
  });

  test('of a password are limited by share, wherever they come from', async () => {
    const share = await make({ password: 'four walls' });
    const statuses = [];
    for (let i = 0; i < 7; i += 1)
      statuses.push((await openShare(shareVisitor(), share, `guess ${i}`)).answer.status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await openShare(shareVisitor(), share, 'four walls')).answer.status).toBe(429);
    // A client without the link cannot lock it for others.
    expect(codeOf((await openShare(shareVisitor(), share)).answer)).toBe('share_password_needed');
  });

  test('would find a short password while a share lasts: short ones are rejected', async () => {
    const wanted = { kind: 'event', id: frontDoor, expires_in: 3600 };
    const statusOf = async (password: string) =>
      (await vera().send('POST', '/postern/api/shares', { ...wanted, password })).status;
    expect([await statusOf('1234'), await statusOf('1234567'), await statusOf('12345678')]).toEqual([
      422, 422, 201,
    ]);
  });

  test('a flood of unlocks writes nothing to the store, and is counted', async () => {
    const share = await make();
    const store = new DatabaseSync(storePath(gateway().directory), { readOnly: true });
    const version = () => store.prepare('PRAGMA data_version').get()?.['data_version'];
    const alerts = () =>
      store
        .prepare(
          `SELECT (SELECT count(*) FROM outbox WHERE alert LIKE '%share_opened%') AS waiting, (SELECT count(*) FROM used_once WHERE purpose = 'alert') AS noted`,
        )
        .get();
    const visitors = Array.from({ length: 5 }, () => shareVisitor());
    // The first one alerts the creator.
    const noted = Number(alerts()?.['noted']);
    await openShare(visitors[0] ?? admin(), share);
    await expect.poll(alerts).toEqual({ waiting: 0, noted: noted + 1 });
    // The gate notes its first pruning soon after its start.
    const prunings = store.prepare('SELECT count(*) AS count FROM last_pruning');
    await expect.poll(() => prunings.get()).toEqual({ count: 1 });
    const before = version();
    await Promise.all(Array.from({ length: 100 }, (_, i) => openShare(visitors[i % 5] ?? admin(), share)));
    expect(version()).toBe(before);
    store.close();
    expect(await openingsOf(share)).toBe(101);
    const audit = await admin().send('GET', '/postern/api/audit?event=share_opened&limit=200');
    expect(audit.body.split(share.id)).toHaveLength(6);
  });
});
