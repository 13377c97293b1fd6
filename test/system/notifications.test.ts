import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { alertOf, alertsOf, startHttpReceiver, startMailServer } from '../support/receivers.ts';
import { pair, screenAt } from '../support/screen.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';

const secret = 'a secret of the webhook';
type Http = Awaited<ReturnType<typeof startHttpReceiver>>;
type Smtp = Awaited<ReturnType<typeof startMailServer>>;

let gateway: RunningGateway;
let hook: Http;
let topic: Http;
let smtp: Smtp;
let admin: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
beforeAll(async () => {
  [hook, topic, smtp] = await Promise.all([
    startHttpReceiver(),
    startHttpReceiver(),
    startMailServer({ user: 'postern', pass: 'p@ss word' }),
  ]);
  const mailUrl = smtp.url.replace('//', `//postern:${encodeURIComponent('p@ss word')}@`);
  gateway = await startGateway({
    sample: true,
    config: {
      public_url: 'https://home.example',
      ui: { name: 'Willow <b>Lane</b>' },
      auth: { failed_login_rate_limit: '1000/minute', roles: { family: ['front_door'] } },
      cameras: ['driveway', 'front_door'],
      notifications: {
        targets: [
          { type: 'webhook', url: `${hook.url}/hook`, secret },
          { type: 'ntfy', url: `${topic.url}/cameras`, token: 'tk_mine' },
          { type: 'mail', url: mailUrl, from: 'gate@home.example', to: ['olaf@home.example'] },
        ],
      },
    },
  });
  admin = await adminOf(gateway);
});
afterAll(async () => {
  await gateway?.close();
  await Promise.all([hook, topic, smtp].map((receiver) => receiver?.close()));
});

/** The parts of a mail, decoded. */
function decoded(text: string): string {
  return text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe('an alert', () => {
  test('reaches a webhook, signed, with the fields of the contract', async () => {
    await userOf(admin, address(), 'hanna', 'admin');
    const alert = await alertOf(hook.received, 'admin_made');
    expect(alert).toMatchObject({ user: 'hanna', by: 'admin', address: '127.0.0.1', count: 1 });
    expect(alert.message).toBe('hanna is an admin now. By admin, from 127.0.0.1.');
    expect(Date.parse(alert.time)).toBeGreaterThan(Date.now() - 60_000);
    const sent = hook.received.find(({ body }) => body.includes(alert.id));
    const timestamp = String(sent?.headers['x-postern-timestamp']);
    const signature = createHmac('sha256', secret).update(`${timestamp}.${sent?.body}`).digest('hex');
    expect(sent?.headers['x-postern-signature']).toBe(`sha256=${signature}`);
    expect(sent?.headers['content-type']).toBe('application/json');
  });

  test('reaches a topic of ntfy, with the token', async () => {
    await expect.poll(() => topic.received.map(({ body }) => body).join('\n')).toContain('hanna is an admin');
    const [sent] = topic.received;
    expect(sent).toMatchObject({ url: '/cameras', headers: { authorization: 'Bearer tk_mine' } });
    expect(sent?.headers['title']).toMatch(/^[A-Z][a-z ]+$/);
  });

  test('reaches a mailbox, as text and as HTML', async () => {
    const find = () => smtp.mails.find(({ text }) => decoded(text).includes('hanna is an admin now'));
    await expect.poll(find).toBeDefined();
    const { from, to, text } = find() as NonNullable<ReturnType<typeof find>>;
    expect([from, to]).toEqual(['gate@home.example', ['olaf@home.example']]);
    expect(text).toContain('Subject: New admin');
    expect(text).toContain('Content-Type: text/plain');
    expect(text).toContain('Content-Type: text/html');
    expect(decoded(text)).toContain('https://home.example/postern/');
    expect(decoded(text)).toContain('Willow &lt;b&gt;Lane&lt;/b&gt;');
    expect(decoded(text).split('text/html')[1]).not.toContain('<b>Lane');
  });
});

describe('a sign-in', () => {
  const cookieOf = (answer: Awaited<ReturnType<Visitor['send']>>) =>
    /^postern_device=[\w-]{22}/.exec(answer.headers.get('set-cookie')?.[0] ?? '')?.[0] ?? '';
  const signIn = (user: string, cookie?: string) =>
    visitor(address()).send(
      'POST',
      '/api/login',
      { user, password: goodPassword },
      cookie === undefined ? [] : [['Cookie', cookie]],
    );
  const devicesOf = (user: string) =>
    alertsOf(hook.received).filter((alert) => alert.event === 'new_device' && alert.user === user);

  /** A user who has not signed in yet. */
  const addUser = (username: string) =>
    admin.send('POST', '/api/users', { username, password: goodPassword, role: 'viewer' });
  const newDevice = async () => cookieOf(await visitor(address()).send('GET', '/login'));

  test('with another browser alerts once, whatever its address', async () => {
    await addUser('vera');
    const device = await newDevice();
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const answer = await visitor(address()).send(
      'POST',
      '/api/login',
      { user: 'vera', password: goodPassword },
      [
        ['Cookie', device],
        ['User-Agent', agent],
      ],
    );
    expect(answer.headers.get('set-cookie')).toHaveLength(1);
    await expect.poll(() => devicesOf('vera').length).toBe(1);
    expect(devicesOf('vera')[0]?.message).toBe(
      'vera signed in on a new device: Firefox on Linux. From 127.0.0.1.',
    );
    for (let i = 0; i < 3; i += 1) expect((await signIn('vera', device)).status).toBe(200);
    // Another user, whose alert would come after theirs.
    await addUser('witness');
    await signIn('witness', device);
    await expect.poll(() => devicesOf('witness').length).toBe(1);
    expect(devicesOf('vera')).toHaveLength(1);
  });

  test('with one invented device after the other alerts once in an hour', async () => {
    await addUser('many');
    for (let i = 0; i < 8; i += 1) expect((await signIn('many', await newDevice())).status).toBe(200);
    const file = new DatabaseSync(join(gateway.directory, 'postern.db'), { timeout: 5_000 });
    const waiting = () =>
      file
        .prepare(
          'SELECT alert, due_at - unixepoch() AS due FROM outbox WHERE alert LIKE \'%"many"%\' AND target IS NULL',
        )
        .all()
        .map(({ alert, due }) => ({ alert: JSON.parse(String(alert)) as object, due: Number(due) }));
    await expect.poll(waiting).toMatchObject([{ alert: { event: 'new_device', user: 'many', count: 7 } }]);
    const [{ due } = { due: 0 }] = waiting();
    file.close();
    expect(due).toBeGreaterThan(3_000);
    await expect.poll(() => devicesOf('many').length).toBe(1);
  });

  test('of a program alerts once for its network', async () => {
    await userOf(admin, address(), 'script', 'viewer');
    for (let i = 0; i < 3; i += 1) expect((await signIn('script')).status).toBe(200);
    await expect.poll(() => devicesOf('script').length).toBe(1);
  });

  test('keeps the cookie of a browser, and makes another of one that is not its own', async () => {
    const first = await visitor(address()).send('GET', '/login');
    expect(first.headers.get('set-cookie')).toHaveLength(1);
    expect(first.headers.get('set-cookie')?.[0]).toContain('; HttpOnly; SameSite=Lax; Secure');
    const device = cookieOf(first);
    const again = await visitor(address()).send('GET', '/login', undefined, [['Cookie', device]]);
    expect(cookieOf(again)).toBe(device);
    const foreign = await visitor(address()).send('GET', '/login', undefined, [
      ['Cookie', 'postern_device=<script>'],
    ]);
    expect(cookieOf(foreign)).toMatch(/=[\w-]{22}$/);
  });
});

test('what users get for their own account follows their address', async () => {
  const nell = await userOf(admin, address(), 'nell', 'viewer');
  const email = '/postern/api/account/email';
  expect(JSON.parse((await nell.send('GET', email)).body)).toEqual({
    email: null,
    of_provider: false,
    mails: true,
  });
  expect(
    (await nell.send('PUT', email, { email: 'nell@home.example\r\nBcc: all@home.example' })).status,
  ).toBe(422);
  expect((await nell.send('PUT', email, { email: 'nell@home.example' })).status).toBe(204);
  const made = await nell.send('POST', '/postern/api/tokens', {
    name: '<img src=x>',
    role: 'viewer',
    expires_in_days: 1,
  });
  expect(made.status).toBe(201);
  const find = () =>
    smtp.mails.find(({ to, text }) => to[0] === 'nell@home.example' && text.includes('New API token'));
  await expect.poll(find).toBeDefined();
  const html = decoded(find()?.text ?? '').split('text/html')[1] ?? '';
  expect(html).toContain('https://home.example/postern/account');
  expect(html).toContain('&lt;img src=x&gt;');
  expect(html).not.toContain('<img');
  expect(smtp.mails.some(({ to }) => to.some((mailbox) => mailbox.startsWith('all@')))).toBe(false);
});

describe('every event', () => {
  const made = (event: string, change: () => Promise<unknown>, about: object) =>
    test(event, async () => {
      const before = hook.received.length;
      await change();
      const alert = await alertOf(
        new Proxy(hook.received, {
          get: (all, key) =>
            key === 'map' ? all.slice(before).map.bind(all.slice(before)) : Reflect.get(all, key),
        }),
        event,
      );
      expect(alert).toMatchObject(about);
    });

  made(
    'password_changed',
    async () => {
      await userOf(admin, address(), 'paul', 'viewer');
      await admin.send('PUT', '/api/users/paul/password', { password: 'correct horse battery staple' });
    },
    { user: 'paul', by: 'admin' },
  );
  made(
    'token_made',
    () => admin.send('POST', '/postern/api/tokens', { name: 'ha', role: 'viewer', expires_in_days: 1 }),
    {
      user: 'admin',
    },
  );
  made(
    'share_made',
    () =>
      admin.send('POST', '/postern/api/shares', {
        kind: 'camera',
        camera: 'driveway',
        from: Math.floor(Date.now() / 1_000) - 600,
        until: Math.floor(Date.now() / 1_000),
        expires_in: 3_600,
      }),
    {
      by: 'admin',
    },
  );
  made(
    'display_paired',
    async () => {
      const screen = screenAt(address());
      await pair(screen, admin, { name: 'Hall' });
    },
    { user: 'admin' },
  );
  made(
    'access_asked',
    async () => {
      const anna = await userOf(admin, address(), 'anna', 'family');
      // A camera that does not exist is answered in the same way, and alerts no one.
      const ask = async (camera: string) => {
        const { status, body } = await anna.send('POST', '/postern/api/access-requests', { camera });
        return { status, body };
      };
      for (const expected of [204, 409]) {
        const [real, unreal] = [await ask('driveway'), await ask('attic')];
        expect(real).toEqual(unreal);
        expect(real.status).toBe(expected);
      }
      const listed = await admin.send('GET', '/postern/api/access-requests');
      expect(listed.body).toContain('driveway');
      expect(listed.body).not.toContain('attic');
    },
    { user: 'anna' },
  );
  made(
    'invitation_used',
    async () => {
      const invited = await admin.send('POST', '/postern/api/invitations', {
        cameras: ['driveway'],
        name: 'guest',
      });
      const { url } = JSON.parse(invited.body) as { url: string };
      const [, id, key] = /invite\/([^#]+)#(.+)$/.exec(url) ?? [];
      await visitor(address()).send('POST', `/postern/api/invitations/${id}/accept`, {
        secret: key,
        username: 'guest',
        password: goodPassword,
      });
    },
    { user: 'guest', by: 'admin' },
  );
});

test('users who have an address get a mail about their new password', async () => {
  const mona = await userOf(admin, address(), 'mona', 'viewer');
  await mona.send('PUT', '/postern/api/account/email', { email: 'mona@home.example' });
  const change = { password: 'another horse battery', old_password: goodPassword };
  expect((await mona.send('PUT', '/api/users/mona/password', change)).status).toBe(200);
  const isTold = () =>
    smtp.mails.some(({ to, text }) => to[0] === 'mona@home.example' && /password/i.test(text));
  await expect.poll(isTold).toBe(true);
});

describe('a changed mail address', () => {
  const mailsTo = (mailbox: string) =>
    smtp.mails.filter(({ to, text }) => to[0] === mailbox && text.includes('Subject: Address changed'));
  const alerts = (user: string) =>
    alertsOf(hook.received).filter((alert) => alert.event === 'email_changed' && alert.user === user);

  test.each([
    ['another one', 'new@home.example'],
    ['none', null],
  ])('alerts the former address when it becomes %s', async (what, email) => {
    const name = `iris.${what.replaceAll(' ', '.')}`;
    const iris = await userOf(admin, address(), name, 'viewer');
    const set = (to: string | null) => iris.send('PUT', '/postern/api/account/email', { email: to });
    await set(`${name}@home.example`);
    expect((await set(email)).status).toBe(204);
    await expect.poll(() => mailsTo(`${name}@home.example`)).toHaveLength(1);
    const [mail] = mailsTo(`${name}@home.example`);
    expect(decoded(mail?.text ?? '')).toContain(`The address for alerts of ${name} was changed.`);
    expect(mailsTo('new@home.example')).toEqual([]);
    // The others hear of it, and not of the addresses.
    await expect.poll(() => alerts(name)).toHaveLength(2);
    expect(JSON.stringify([...hook.received, ...topic.received])).not.toContain(`${name}@`);
    expect(JSON.stringify(gateway.log)).not.toContain(`${name}@`);
  });

  test('that stays the same alerts no one', async () => {
    const jo = await userOf(admin, address(), 'jo', 'viewer');
    for (const email of ['jo@home.example', 'jo@home.example', null, null])
      await jo.send('PUT', '/postern/api/account/email', { email });
    await expect.poll(() => mailsTo('jo@home.example')).toHaveLength(1);
    expect(alerts('jo')).toHaveLength(2);
  });
});

test('the test goes to every target, and names what failed', async () => {
  await smtp.close();
  const answer = await admin.send('POST', '/postern/api/notifications/test');
  const results = JSON.parse(answer.body) as Array<{ type: string; fault: string | null }>;
  expect(results.map(({ type, fault }) => [type, fault])).toEqual([
    ['webhook', null],
    ['ntfy', null],
    ['mail', expect.stringMatching(/^it cannot be reached/)],
  ]);
  expect((await alertOf(hook.received, 'test')).user).toBe('admin');
});

describe('a target', () => {
  const started = async (url: string, more: object = {}) => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-notifications-'));
    let now = Date.now();
    const start = () =>
      startGateway({
        directory,
        sample: true,
        clock: { now: () => now },
        config: { notifications: { targets: [{ type: 'webhook', url, secret }], ...more } },
      });
    let running = await start();
    onTestFinished(async () => {
      await running.close();
      rmSync(directory, { recursive: true, force: true });
    });
    return {
      gateway: running,
      directory,
      admin: await adminOf(running),
      atIt: () => running.addresses.authenticated ?? '',
      /** Its sessions outlive any time. */
      inside: visitor(running.addresses.internal ?? '', false),
      later: (ms: number) => void (now += ms),
      restart: async () => {
        await running.close();
        running = await start();
        return running;
      },
    };
  };

  test('that answers 500 is asked again, after a restart too', async () => {
    let status = 500;
    const receiver = await startHttpReceiver(() => ({ status }));
    onTestFinished(receiver.close);
    const { admin: ofIt, atIt, later, restart } = await started(receiver.url);
    await userOf(ofIt, atIt(), 'hanna', 'admin');
    const first = await alertOf(receiver.received, 'admin_made');
    status = 204;
    await restart();
    const before = receiver.received.length;
    later(3_600_000);
    await expect
      .poll(() => alertsOf(receiver.received.slice(before)).map(({ id }) => id))
      .toContain(first.id);
  });

  test('that is slow delays no answer', async () => {
    const receiver = await startHttpReceiver(() => ({ status: 204, after: 5_000 }));
    onTestFinished(receiver.close);
    const { admin: ofIt, atIt } = await started(receiver.url);
    await userOf(ofIt, atIt(), 'hanna', 'admin');
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    expect((await ofIt.send('GET', '/api/profile')).status).toBe(200);
  });

  test('that is named twice gets each alert twice', async () => {
    const receiver = await startHttpReceiver();
    onTestFinished(receiver.close);
    const targets = [1, 2].map(() => ({ type: 'webhook', url: receiver.url, secret }));
    const { admin: ofIt, atIt } = await started(receiver.url, { targets });
    await userOf(ofIt, atIt(), 'hanna', 'admin');
    const found = () => alertsOf(receiver.received).filter(({ event }) => event === 'admin_made');
    await expect.poll(() => found().length).toBe(2);
    expect(new Set(found().map(({ id }) => id)).size).toBe(1);
  });

  test('that redirects is not followed', async () => {
    const inside = await startHttpReceiver();
    const receiver = await startHttpReceiver(() => ({ status: 302, headers: { location: inside.url } }));
    onTestFinished(() => Promise.all([inside.close(), receiver.close()]).then(() => undefined));
    const { admin: ofIt } = await started(receiver.url);
    const answer = await ofIt.send('POST', '/postern/api/notifications/test');
    expect(answer.body).toContain('it redirects (302)');
    expect(inside.received).toEqual([]);
  });

  test('that is away for a day is given up, and admins see it', async () => {
    const { admin: ofIt, atIt, inside, later, directory } = await started('http://127.0.0.1:9');
    const store = new DatabaseSync(join(directory, 'postern.db'), { readOnly: true });
    onTestFinished(() => store.close());
    // A clock that leaps before the gate has trusted it makes nothing old.
    await expect.poll(() => store.prepare('SELECT at FROM last_pruning').get()).toBeDefined();
    await userOf(ofIt, atIt(), 'hanna', 'admin');
    const lost = async () => {
      later(25 * 3_600_000);
      const { body } = await inside.send('GET', '/postern/api/attention');
      return body.includes('alerts_lost');
    };
    await expect.poll(lost, { timeout: patience, interval: 3_000 }).toBe(true);
  });
});
