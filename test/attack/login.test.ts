import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { goodPassword, printedPassword, visitor } from '../support/log-in.ts';
import { sendRaw, type RawAnswer } from '../support/raw-http.ts';
import { startGateway, type GatewayOptions, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor } from '../support/start-nginx.ts';
import { slowness } from '../support/patience.ts';

let gateway: RunningGateway;
afterEach(() => gateway.close());

const start = async (auth: Record<string, unknown> = {}, options: GatewayOptions = {}) => {
  gateway = await startGateway({ config: { auth }, ...options });
};

function guess(address: string, user: string, password: string, forwardedFor?: string): Promise<RawAnswer> {
  const headers: Array<readonly [string, string]> = [['Content-Type', 'application/json']];
  if (forwardedFor !== undefined) headers.push(['X-Forwarded-For', forwardedFor]);
  return sendRaw(
    address,
    { method: 'POST', uri: '/api/login', headers, body: JSON.stringify({ user, password }) },
    !address.startsWith('unix:'),
  );
}
const embedded = () => gateway.addresses.authenticated ?? '';
const statuses = (answers: readonly RawAnswer[]) => {
  const count: Record<number, number> = {};
  for (const { status } of answers) count[status] = (count[status] ?? 0) + 1;
  return count;
};

describe('guessing', () => {
  test('200 guesses at once get no more than the limit through, and even the right one must wait', async () => {
    await start({ failed_login_rate_limit: '5/minute;20/hour' });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => guess(embedded(), 'admin', `guess ${i}`)),
    );
    expect(statuses(answers)).toEqual({ 401: 5, 429: 195 });
    const limited = answers.find(({ status }) => status === 429);
    expect(Number(limited?.headers.get('retry-after')?.[0])).toBeGreaterThan(0);
    expect(JSON.parse(limited?.body ?? '')).toMatchObject({ code: 'too_many_requests' });
    expect((await guess(embedded(), 'admin', printedPassword(gateway))).status).toBe(429);
  });

  test('the old password of a password change is guessed under the same limit', async () => {
    await start({ failed_login_rate_limit: '3/minute' });
    const admin = visitor(embedded());
    await admin.logIn('admin', printedPassword(gateway));
    await admin.send('POST', '/api/users', { username: 'vera', password: goodPassword, role: 'viewer' });
    const vera = visitor(embedded());
    await vera.logIn('vera', goodPassword);
    const change = () =>
      vera.send('PUT', '/api/users/vera/password', { password: goodPassword, old_password: 'wrong' });
    expect(statuses([await change(), await change(), await change(), await change()])).toEqual({
      403: 3,
      429: 1,
    });
  });
});

describe('the address that is limited', () => {
  /** Each guess sends another X-Forwarded-For; how many of four get through a limit of two. */
  const spoofed: ReadonlyArray<
    readonly [how: string, trusted: readonly string[], addresses: readonly string[], through: number]
  > = [
    ['an untrusted peer that invents addresses', [], ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'], 2],
    [
      'a malformed hop: what stands left of it does not count',
      ['127.0.0.0/8', '10.0.0.0/8'],
      ['1.1.1.1, x, 10.0.0.1', '2.2.2.2, , 10.0.0.1', '3.3.3.3, 999.1.1.1, 10.0.0.1', '10.0.0.1'],
      2,
    ],
    [
      'IPv4 in IPv6 clothes',
      ['127.0.0.0/8'],
      ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:192.0.2.1', '192.0.2.1'],
      2,
    ],
    [
      'one IPv6 /64',
      ['127.0.0.0/8'],
      ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::9', '2001:DB8::3'],
      2,
    ],
  ];

  test.each(spoofed)('%s', async (_, trusted, addresses, through) => {
    await start({ failed_login_rate_limit: '2/minute', trusted_proxies: trusted });
    const answers = [];
    for (const address of addresses) answers.push(await guess(embedded(), 'admin', 'wrong', address));
    expect(statuses(answers)[401]).toBe(through);
  });

  test('behind nginx is the client of nginx, whatever the client sends', async () => {
    await start({ failed_login_rate_limit: '2/minute' });
    const nginx = await startNginxFor(gateway);
    const answers = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      answers.push(await guess(nginx.authenticated, 'admin', 'wrong', address));
    await nginx.close();
    expect(statuses(answers)).toEqual({ 401: 2, 429: 1 });
    expect(gateway.log.filter(({ msg }) => msg === 'login refused').map(({ address }) => address)).toEqual([
      '127.0.0.1',
      '127.0.0.1',
      '127.0.0.1',
    ]);
  });
});

describe('enumeration', () => {
  beforeEach(async () => {
    await start({ failed_login_rate_limit: null }, { passwordIterations: 600_000 });
    const admin = visitor(embedded());
    await admin.logIn('admin', printedPassword(gateway));
    for (const username of ['known', 'broken', 'absurd', 'unknown-algorithm', 'old', 'blocked']) {
      await admin.send('POST', '/api/users', { username, password: goodPassword, role: 'viewer' });
    }
    const file = new DatabaseSync(join(gateway.directory, 'postern.db'));
    const set = file.prepare('UPDATE users SET password_hash = ? WHERE username = ?');
    set.run('broken', 'broken');
    file.exec("UPDATE users SET blocked = 'admin' WHERE username = 'blocked'");
    set.run(`pbkdf2_sha256$4000000000$${'a'.repeat(32)}$${'A'.repeat(43)}=`, 'absurd');
    set.run(`argon2id$1$${'a'.repeat(32)}$${'A'.repeat(43)}=`, 'unknown-algorithm');
    set.run(`pbkdf2_sha256$1000$${'a'.repeat(32)}$${'A'.repeat(43)}=`, 'old');
    file.close();
  });

  test('neither the answer nor its cost reveals whether a user exists', async () => {
    const users = ['known', 'unknown', 'broken', 'absurd', 'unknown-algorithm', 'old', 'blocked'];
    const work: Record<string, number[]> = {};
    for (let round = 0; round < 3; round += 1) {
      for (const user of users) {
        const before = process.cpuUsage();
        // A blocked user is refused with the right password too.
        const given = user === 'blocked' ? goodPassword : goodPassword.toUpperCase();
        const answer = await guess(embedded(), user, given);
        // Of all threads of this process, the gateway's too: what other programs do does not count.
        (work[user] ??= []).push(process.cpuUsage(before).user);
        expect([answer.status, answer.body]).toEqual([
          401,
          '{"message":"Login failed","code":"login_failed"}',
        ]);
      }
    }
    const least = (user: string) => Math.min(...(work[user] ?? []));
    // A hash that is not computed would take a hundredth of the work.
    for (const user of users) expect(least(user) / least('known'), user).toBeGreaterThan(0.5);
    for (const user of users) expect(least(user) / least('known'), user).toBeLessThan(2);
  });
});

test('a body that is no login is refused', async () => {
  await start();
  const bodies: ReadonlyArray<[name: string, body: string, status: number]> = [
    ['a list', '[]', 422],
    ['null', 'null', 422],
    ['half an object', '{"user":"admin"', 415],
    ['nested 10,000 deep', `${'['.repeat(7_000)}${']'.repeat(7_000)}`, 422],
    ['10 MiB', `{"user":"admin","password":"${'x'.repeat(10 * 1024 * 1024)}"}`, 413],
    ['__proto__', '{"__proto__":{"user":"admin","password":"x"}}', 422],
    ['constructor', '{"constructor":{"prototype":{"user":"admin"}}}', 422],
    ['a user that is an object', '{"user":{"$ne":null},"password":{"$ne":null}}', 422],
    ['a password of null', '{"user":"admin","password":null}', 422],
    ['not UTF-8', '{"user":"admin","password":"\u00ff"}', 401],
    [
      'duplicate keys: the last counts, as everywhere',
      '{"user":"unknown","user":"admin","password":"x"}',
      401,
    ],
  ];
  for (const [name, body, status] of bodies) {
    const answer = await visitor(embedded()).send('POST', '/api/login', body);
    // A body that is cut off may cost the connection before the answer is read.
    expect(answer.status === 0 ? 413 : answer.status, name).toBe(status);
    expect((await visitor(embedded()).send('GET', '/api/profile')).status, name).toBe(401);
  }
});

test('a body that is not JSON leaves nothing of its password in the log', async () => {
  await start();
  const answer = await visitor(embedded()).send(
    'POST',
    '/api/login',
    `{"user":"admin","password":'Tr0ub4dor&3'}`,
  );
  expect(answer.status).toBe(415);
  expect(JSON.stringify(gateway.log)).not.toContain('Tr0ub');
});

test('long URIs cost neither time nor memory', async () => {
  await start();
  const config = { cameras: ['front', 'front-door'] };
  const limited = await startGateway({ config });
  const before = process.threadCpuUsage();
  for (let i = 0; i < 20; i += 1) {
    const answer = await sendRaw(
      limited.addresses.authenticated ?? '',
      { uri: `/clips/${'-'.repeat(12_000)}` },
      true,
    );
    expect(answer.status).toBe(401);
  }
  const hyphens = process.threadCpuUsage(before).user;
  await limited.close();
  // With a look at each hyphen these took more than a second of work.
  expect(hyphens).toBeLessThan(1_000_000 * slowness);
});

test('fixation: a login answers with a session of its own, whatever cookie came', async () => {
  await start();
  const victim = visitor(embedded());
  victim.token = 'planted-by-an-attacker';
  const answer = await victim.logIn('admin', printedPassword(gateway));
  expect(answer.status).toBe(200);
  expect(victim.token).not.toBe('planted-by-an-attacker');
  const first = victim.token;
  await victim.logIn('admin', printedPassword(gateway));
  expect(victim.token).not.toBe(first);
});
