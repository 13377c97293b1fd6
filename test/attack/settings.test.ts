import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startHttpReceiver } from '../support/receivers.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/* Pages write settings into config.yml. Only an admin with a fresh proof may, and no secret is read back or sent elsewhere. */

const written = `# our house
networking:
  listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' }
  forward_auth: { authenticated: off, internal: off }
  relay: { authenticated: off, internal: off }
timezone: Europe/Berlin # where we live
audit: { viewing: false }
auth:
  enabled: true
  failed_login_rate_limit: null
notifications:
  # Frigate's
  enabled: true
  targets:
    - type: webhook
      url: http://127.0.0.1:9/hook
      secret: the secret of our webhook
    - type: mail
      url: smtps://olaf:{SERVICE_MAIL_PASSWORD}@mail.example.org
      from: a@b.example
`;
const testPath = '/postern/api/settings/notifications/test';
const path = (section: string) => `/postern/api/settings/${section}`;

let directory: string;
let gateway: RunningGateway;
/** Milliseconds. */
let late = 0;
let admin: Visitor;
let viewer: Visitor;
let hook: Awaited<ReturnType<typeof startHttpReceiver>>;
/** Tests that the target got, among its other alerts. */
const tests = () => hook.received.filter(({ body }) => !/"event":"(?!test)/.test(body));
const config = () => readFileSync(join(directory, 'config.yml'), 'utf8');
const put = (section: string, value: unknown, who = admin) => who.send('PUT', path(section), { value });
const get = async (section: string) => JSON.parse((await admin.send('GET', path(section))).body) as unknown;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'postern-test-'));
  hook = await startHttpReceiver();
  writeFileSync(join(directory, 'config.yml'), written.replaceAll('http://127.0.0.1:9', hook.url));
  gateway = await startGateway({
    directory,
    keepConfig: true,
    environment: { SERVICE_MAIL_PASSWORD: 'pa55-of-the-mail' },
    clock: { now: () => Date.now() + late },
  });
  admin = await adminOf(gateway);
  viewer = await userOf(admin, gateway.addresses.authenticated ?? '', 'vera', 'viewer');
});
afterAll(async () => {
  await Promise.all([gateway.close(), hook.close()]);
  rmSync(directory, { recursive: true });
});

test('anonymous clients, viewers, other sites and API tokens read and write nothing', async () => {
  const before = config();
  const anonymous = visitor(gateway.addresses.authenticated ?? '');
  const made = await admin.send('POST', '/postern/api/tokens', { name: 'script', role: 'admin' });
  const { token } = JSON.parse(made.body) as { token: string };
  const bearer = [['Authorization', `Bearer ${token}`]] as const;
  const elsewhere = [['Sec-Fetch-Site', 'cross-site']] as const;
  const target = { type: 'ntfy', url: `${hook.url}/topic` };
  for (const [method, at, body] of [
    ['GET', path('timezone')],
    ['PUT', path('timezone'), { value: 'Asia/Tokyo' }],
    ['POST', testPath, { target }],
  ] as const) {
    expect((await anonymous.send(method, at, body)).status).toBe(401);
    expect((await viewer.send(method, at, body)).status).toBe(403);
    expect((await anonymous.send(method, at, body, bearer)).status).toBe(403);
    if (method !== 'GET') expect((await admin.send(method, at, body, elsewhere)).status).toBe(403);
  }
  expect(tests()).toEqual([]);
  expect(config()).toBe(before);
});

test('no secret is read back, and a placeholder is none', async () => {
  expect(await get('notifications')).toEqual({
    value: {
      targets: [
        { type: 'webhook', url: expect.stringMatching(`^${hook.url}/\\*{3}[0-9a-f]{16}$`), secret: '***' },
        { type: 'mail', url: 'smtps://olaf:***@mail.example.org', from: 'a@b.example' },
      ],
    },
    writable: true,
  });
});

test.each([
  ['timezone', 'Asia/Tokyo', 'timezone: Asia/Tokyo # where we live\n'],
  ['audit.viewing', 'required', 'audit: {viewing: required}\n'],
  ['public_url', 'https://cameras.example.org', 'public_url: https://cameras.example.org\n'],
  [
    'auth.second_factor',
    { required_for: ['viewer'] },
    '  second_factor:\n    required_for:\n      - viewer\n',
  ],
])('%s is written where it stands, and applies', async (section, value, line) => {
  expect((await put(section, value)).status).toBe(204);
  expect(config()).toContain(line);
  expect(config()).toMatch(/^# our house\n/);
  expect(await get(section)).toEqual({ value, writable: true });
  if (section === 'timezone')
    expect((await admin.send('GET', '/postern/api/version')).body).toContain('"timezone":"Asia/Tokyo"');
  expect((await put(section, null)).status).toBe(204);
  expect(await get(section)).toEqual({ value: null, writable: true });
});

describe('alert targets', () => {
  const webhook = () => ({ type: 'webhook', url: `${hook.url}/hook`, secret: '***' });
  const mail = { type: 'mail', url: 'smtps://olaf:***@mail.example.org', from: 'new@b.example' };

  test('are changed, with the secrets that they have; what is not ours stays', async () => {
    expect((await put('notifications', { targets: [mail, webhook()], events: ['admin_made'] })).status).toBe(
      204,
    );
    expect(config()).toContain('url: smtps://olaf:{SERVICE_MAIL_PASSWORD}@mail.example.org');
    expect(config()).toContain('from: new@b.example');
    expect(config()).toContain('secret: the secret of our webhook');
    expect(config()).toContain('enabled: true');
    const targets = await admin.send('GET', '/postern/api/notifications');
    expect(JSON.parse(targets.body)).toMatchObject({ targets: [{ type: 'mail' }, { type: 'webhook' }] });
  });

  test('stay as they are when they are sent back as they were read', async () => {
    const before = config();
    const { value } = (await get('notifications')) as { readonly value: { readonly targets: object[] } };
    expect(JSON.stringify(value)).not.toContain('/hook');
    expect((await put('notifications', value)).status).toBe(204);
    expect(config()).toBe(before);
    const target = value.targets.find((each) => 'secret' in each);
    const { body } = await admin.send('POST', testPath, {
      target: { ...target, url: 'http://127.0.0.1:8/***0' },
    });
    expect(JSON.parse(body)).toMatchObject({ code: 'secret_missing' });
  });

  test.each([
    [
      'a secret for another address',
      () => ({ ...webhook(), url: 'http://127.0.0.1:8/hook' }),
      409,
      'secret_missing',
    ],
    [
      'a password for another server',
      () => ({ ...mail, url: 'smtps://olaf:***@evil.example' }),
      409,
      'secret_missing',
    ],
    [
      'a variable',
      () => ({ ...webhook(), url: `${hook.url}/{SERVICE_MAIL_PASSWORD}` }),
      422,
      'placeholder_refused',
    ],
    [
      'a variable as a secret',
      () => ({ ...webhook(), secret: '{SERVICE_MAIL_PASSWORD}' }),
      422,
      'placeholder_refused',
    ],
  ] as const)('%s is refused, and nothing is written or sent', async (_, targetOf, status, code) => {
    const before = config();
    for (const answer of [
      await put('notifications', { targets: [targetOf()] }),
      await admin.send('POST', testPath, { target: targetOf() }),
    ])
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { code }]);
    expect(config()).toBe(before);
    expect(tests()).toEqual([]);
  });

  test('a test goes to the one that is named, with its secret, which the answer does not have', async () => {
    const answer = await admin.send('POST', testPath, { target: webhook() });
    expect([answer.status, answer.body]).toEqual([200, '{"fault":null}']);
    expect(tests()).toMatchObject([{ url: '/hook', body: expect.stringContaining('"event":"test"') }]);
    const records = await admin.send('GET', '/postern/api/audit?event=alert_tested&limit=1');
    expect(JSON.parse(records.body)).toMatchObject({
      records: [{ user: 'admin', detail: { type: 'webhook', host: new URL(hook.url).host, result: 'sent' } }],
    });
  });

  test('stay where the value is not valid; the answer names the place, the value and what is allowed', async () => {
    const before = config();
    const answer = await put('notifications', { targets: [{ type: 'pigeon' }] });
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('notifications.targets');
    expect((await put('timezone', 'Europe/Berlim')).body).toContain('Europe/Berlin');
    for (const wrong of [7, [], { a: 1 }, 'x'.repeat(5_000)])
      expect((await put('timezone', wrong)).status).toBe(422);
    expect(config()).toBe(before);
  });
});

test.each([
  'auth',
  'upstream',
  'tls',
  'auth.roles',
  '__proto__',
  'constructor',
  'notifications.targets',
  '..',
])('no page writes %s', async (section) => {
  const before = config();
  expect((await put(encodeURIComponent(section), 'x')).status).toBeGreaterThanOrEqual(400);
  expect(config()).toBe(before);
});

test('a change is in the audit, without its value', async () => {
  await put('timezone', 'Europe/Paris');
  const { body } = await admin.send('GET', '/postern/api/audit?event=settings_changed&limit=1');
  expect(JSON.parse(body)).toMatchObject({
    records: [{ event: 'settings_changed', user: 'admin', detail: { section: 'timezone' } }],
  });
  expect(body).not.toContain('Europe/Paris');
});

test('a file that cannot be written gives the lines to paste', async () => {
  // Root may write any file: a directory in the way of the new one stops even root.
  const obstacle = join(directory, 'config.yml.new');
  mkdirSync(obstacle);
  const answer = await put('audit.viewing', true);
  rmdirSync(obstacle);
  expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
    409,
    { code: 'configuration_read_only', lines: 'audit:\n  viewing: true\n' },
  ]);
});

test.each([
  ['PUT', path('timezone'), { value: 'Asia/Tokyo' }],
  ['POST', testPath, { target: { type: 'ntfy', url: 'http://127.0.0.1:9/topic' } }],
])('a proof that is older than ten minutes is not enough: %s %s', async (method, uri, body) => {
  const before = config();
  late = 601_000;
  const answer = await sendRaw(
    gateway.addresses.authenticated ?? '',
    {
      method,
      uri,
      headers: [
        ['Cookie', `session_token=${admin.token}`],
        ['Content-Type', 'application/json'],
      ],
      body: JSON.stringify(body),
    },
    true,
  );
  expect([answer.status, JSON.parse(answer.body)]).toMatchObject([403, { code: 'step_up_needed' }]);
  expect(config()).toBe(before);
});
