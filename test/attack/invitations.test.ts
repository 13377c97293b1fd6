import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { adminOf, cookieOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/* A link gives an account to someone new: what strangers, other sites and former admins make of it. */

let now = Date.now();
let gateway: RunningGateway;
let admin: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
const start = (failed_login_rate_limit: string) =>
  startGateway({
    config: { cameras: ['driveway'], auth: { failed_login_rate_limit } },
    clock: { now: () => now },
  });
beforeAll(async () => {
  gateway = await start('1000/minute');
});
beforeEach(async () => {
  admin = await adminOf(gateway);
});
afterAll(() => gateway?.close());

interface Link {
  readonly id: string;
  readonly secret: string;
}
async function invite(by = admin, wanted: object = { role: 'viewer' }): Promise<Link> {
  const { status, body } = await by.send('POST', '/postern/api/invitations', wanted);
  if (status !== 201) throw new Error(`${status} ${body}`);
  const { id, url } = JSON.parse(body) as { id: string; url: string };
  return { id, secret: url.split('#')[1] ?? '' };
}
type Step = 'open' | 'passkey' | 'accept';
const bodyOf = (step: Step, secret: string, username: string) =>
  ({
    open: { secret },
    passkey: { secret, username },
    accept: { secret, username, password: goodPassword },
  })[step];
const steps = ['open', 'passkey', 'accept'] as const;
const take = (
  { id, secret }: Link,
  step: Step,
  username: string,
  headers?: RawRequest['headers'],
  at = address(),
) =>
  visitor(at).send('POST', `/postern/api/invitations/${id}/${step}`, bodyOf(step, secret, username), headers);
const accept = (link: Link, username: string) => take(link, 'accept', username);
const users = async (by = admin) =>
  (JSON.parse((await by.send('GET', '/api/users')).body) as Array<{ username: string }>).map(
    ({ username }) => username,
  );

describe('a guessed secret', () => {
  const startLimited = async () => {
    const limited = await start('5/hour');
    onTestFinished(() => limited.close());
    return { at: limited.addresses.authenticated ?? '', by: await adminOf(limited) };
  };

  test.each(steps)('is limited at %s, for the right one too, and for others not', async (step) => {
    const { at, by } = await startLimited();
    const link = await invite(by);
    const statuses = [];
    for (let i = 0; i < 7; i += 1)
      statuses.push((await take({ ...link, secret: `guess-${i}` }, step, 'nell', [], at)).status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429]);
    expect((await take(link, 'accept', 'nell', [], at)).status).toBe(429);
    expect(await users(by)).not.toContain('nell');
    // The guesses are of one address.
    const request = {
      method: 'POST',
      uri: `/postern/api/invitations/${link.id}/accept`,
      headers: [['Content-Type', 'application/json']] as const,
      body: JSON.stringify(bodyOf('accept', link.secret, 'nell')),
    };
    expect((await sendRaw(at, request, true, '127.0.0.2')).status).toBe(201);
  });

  test('is limited over all steps, invitations and ids together, however many come at once', async () => {
    const { at, by } = await startLimited();
    const links = [await invite(by), await invite(by), { id: 'A'.repeat(16), secret: '' }];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        take(
          { ...(links[i % 3] as Link), secret: `guess-${i}` },
          steps[Math.floor(i / 3) % 3] as Step,
          'nell',
          [],
          at,
        ),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(55);
  });
});

// It looks as if it had never been.
describe('is over', () => {
  const byMaker =
    (change: (maker: string) => Promise<unknown>) =>
    async (name: string): Promise<Link> => {
      const maker = await userOf(admin, address(), `maker.${name}`, 'admin');
      const link = await invite(maker);
      await change(`maker.${name}`);
      return link;
    };
  test.each<[what: string, make: (name: string) => Promise<Link>]>([
    [
      'used',
      async (name) => {
        const link = await invite();
        expect((await accept(link, `first.${name}`)).status).toBe(201);
        return link;
      },
    ],
    [
      'expired',
      async () => {
        const link = await invite(admin, { role: 'viewer', expires_in: 60 });
        now += 60_000;
        return link;
      },
    ],
    [
      'revoked',
      async () => {
        const link = await invite();
        await admin.send('DELETE', `/postern/api/invitations/${link.id}`);
        return link;
      },
    ],
    [
      'of-a-former-admin',
      byMaker((maker) => admin.send('PUT', `/api/users/${maker}/role`, { role: 'viewer' })),
    ],
    [
      'of-a-blocked-admin',
      byMaker((maker) => admin.send('PUT', `/postern/api/users/${maker}/blocked`, { blocked: true })),
    ],
    ['of-a-removed-admin', byMaker((maker) => admin.send('DELETE', `/api/users/${maker}`))],
    [
      'of-a-former-admin-who-is-one-again',
      byMaker(async (maker) => {
        for (const role of ['viewer', 'admin']) await admin.send('PUT', `/api/users/${maker}/role`, { role });
      }),
    ],
    [
      'of-an-admin-who-was-made-again',
      byMaker(async (maker) => {
        await admin.send('DELETE', `/api/users/${maker}`);
        await userOf(admin, address(), maker, 'admin');
      }),
    ],
    [
      'for-a-role-that-is-gone',
      async () => {
        await admin.send('PUT', '/postern/api/roles/passing', { cameras: ['driveway'] });
        const link = await invite(admin, { role: 'passing' });
        expect((await admin.send('DELETE', '/postern/api/roles/passing')).status).toBe(200);
        return link;
      },
    ],
  ])('%s', async (what, make) => {
    const link = await make(what);
    const never = { id: 'A'.repeat(16), secret: 'never' };
    for (const step of ['open', 'accept'] as const) {
      const [answer, unknown] = [await take(link, step, `late.${what}`), await take(never, step, 'late')];
      expect([answer.status, answer.body], step).toEqual([404, unknown.body]);
      expect(cookieOf(answer)).toBeUndefined();
    }
    expect(await users()).not.toContain(`late.${what}`);
  });
});

describe('the name that is asked for', () => {
  let link: Link;
  beforeEach(async () => {
    link = await invite();
  });

  test.each([
    ...['admin', 'Admin', 'ADMIN'].map((name) => [name, 409] as const),
    ...['anonymous', 'Anonymous', 'postern', 'POSTERN', '.', '..', '', ' ', 'a b', 'a/b', 'a%2fb'].map(
      (name) => [name, 422] as const,
    ),
    ...['<img src=x>', 'a\r\nb', 'a\0', 'a\u202eb', 'a\u200b', 'аdmin', 'x'.repeat(65)].map(
      (name) => [name, 422] as const,
    ),
  ])('%j is refused, and the invitation stays', async (name, status) => {
    const before = await users();
    const answer = await accept(link, name);
    expect([answer.status, cookieOf(answer)]).toEqual([status, undefined]);
    expect(await users()).toEqual(before);
    expect((await take(link, 'open', '')).status).toBe(200);
  });

  test('comes with nothing more than the invitation gives', async () => {
    for (const more of [{ role: 'admin' }, { username: ['x'] }, { __proto__: null, is_admin: true }]) {
      const body = { ...bodyOf('accept', link.secret, 'more'), ...more };
      const answer = await visitor(address()).send(
        'POST',
        `/postern/api/invitations/${link.id}/accept`,
        body,
      );
      expect(answer.status).toBe(422);
    }
    expect(await users()).not.toContain('more');
  });

  test('is that of one person, who came first', async () => {
    const other = await invite();
    const answers = await Promise.all([accept(link, 'same'), accept(other, 'SAME')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});

test('makes one account', async () => {
  const link = await invite();
  const names = Array.from({ length: 12 }, (_, i) => `crowd.${i}`);
  const answers = await Promise.all(names.map((name) => accept(link, name)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await users()).filter((name) => name.startsWith('crowd.'))).toHaveLength(1);
});
