import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { outputOf } from '../support/postern-command.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { temporaryDirectory } from '../unit/store/temporary-store.ts';

const [second, minute, hour, year] = [1_000, 60_000, 3_600_000, 365 * 86_400_000];
const config = {
  cameras: ['driveway', 'front_door'],
  auth: {
    roles: { guests: ['driveway'] },
    role_access: { guests: { until: '2026-12-24' } },
  },
};
// In the time zone of the test, which is the gate's.
const began = new Date(2026, 11, 20, 12).getTime();

let now: number;
let directory: string;
let gateway: RunningGateway | undefined;
beforeEach(() => {
  now = began;
  directory = temporaryDirectory();
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});
/** Ends the gate as a power cut does not, and starts it with the machine's clock at another time. */
const startAt = async (time: number) => {
  await gateway?.close();
  now = time;
  gateway = await startGateway({ directory, config, clock: { now: () => now } });
  return gateway.addresses.authenticated ?? '';
};
const json = async (by: Visitor, method: string, path: string, body?: object) => {
  const answer = await by.send(method, path, body);
  return { status: answer.status, body: answer.body === '' ? {} : (JSON.parse(answer.body) as never) };
};

interface Lent {
  readonly admin: Visitor;
  readonly nell: Visitor;
  readonly share: { readonly id: string; readonly secret: string };
  readonly token: string;
  readonly invitation: { readonly id: string; readonly secret: string };
}
/** Everything that ends, each after an hour. */
async function lend(address: string): Promise<Lent> {
  const admin = await adminOf(gateway as RunningGateway);
  const nell = await userOf(admin, address, 'nell', 'guests');
  const linked = async (path: string, body: object) => {
    const { id, url } = (await json(admin, 'POST', path, body)).body as { id: string; url: string };
    return { id, secret: url.split('#')[1] ?? '' };
  };
  const at = now / second;
  const share = await linked('/postern/api/shares', {
    kind: 'camera',
    camera: 'driveway',
    from: at - 60,
    until: at + 60,
    expires_in: 3_600,
  });
  const invitation = await linked('/postern/api/invitations', { role: 'admin', expires_in: 3_600 });
  const { body } = await json(admin, 'POST', '/postern/api/tokens', {
    name: 'script',
    role: 'viewer',
    expires_at: at + 3_600,
  });
  const { token } = body as { token: string };
  return { admin, nell, share, token, invitation };
}

const bearer = (token: string) => [['Authorization', `Bearer ${token}`]] as const;
/** The same client, of a gate that has another port now. */
const movedTo = (address: string, { token }: Visitor) => Object.assign(visitor(address), { token });

/** @returns the status of a use of each */
async function use(address: string, { nell, share, token, invitation }: Lent) {
  const guest = visitor(address);
  return {
    share: (await guest.send('POST', `/postern/api/shares/${share.id}/open`, { secret: share.secret }))
      .status,
    token: (await sendRaw(address, { method: 'GET', uri: '/api/profile', headers: [...bearer(token)] }, true))
      .status,
    invitation: (
      await guest.send('POST', `/postern/api/invitations/${invitation.id}/open`, {
        secret: invitation.secret,
      })
    ).status,
    // Without a recorder, what is permitted is not found.
    guest: (await movedTo(address, nell).send('GET', '/api/driveway/latest.jpg')).status,
  };
}
const open = { share: 200, token: 200, invitation: 200, guest: 404 };
const over = { share: 404, token: 401, invitation: 404 };

describe('what has ended stays ended', () => {
  test.each([
    { name: 'back by a year', off: -year, guest: 403 },
    { name: 'at the epoch', off: -began, guest: 403 },
    { name: 'as it was when everything was made', off: -2 * hour, guest: 403 },
    { name: 'back by three minutes', off: -3 * minute, guest: 404 },
  ])('at a start with a clock that is $name', async ({ off, guest }) => {
    const lent = await lend(await startAt(began));
    expect(await use(gateway?.addresses.authenticated ?? '', lent)).toEqual(open);
    await startAt(began + hour + second);
    const address = await startAt(began + hour + 2 * second + off);
    expect(await use(address, lent)).toEqual({ ...over, guest });
  });

  test('when the clock jumps back while it runs', async () => {
    const address = await startAt(began);
    const lent = await lend(address);
    now += hour;
    const { guest, ...ended } = await use(address, lent);
    expect({ guest, ...ended }).toEqual({ ...over, guest: 404 });
    now -= 2 * hour;
    expect(await use(address, lent)).toEqual({ ...over, guest: 403 });
    now = began + hour + minute;
    expect(await use(address, lent)).toEqual({ ...over, guest: 404 });
  });
});

test('while the clock is behind, people sign in, admins are told, and a schedule is closed', async () => {
  const lent = await lend(await startAt(began));
  const address = await startAt(began - year);
  const [admin, nell] = [lent.admin, lent.nell].map((who) => movedTo(address, who)) as [Visitor, Visitor];
  expect((await visitor(address).logIn('nell', goodPassword)).status).toBe(200);
  // Nothing ended: Postern goes on from the time that it knows.
  expect(await use(address, lent)).toEqual({ ...open, guest: 403 });
  const answer = await nell.send('GET', '/api/driveway/latest.jpg');
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'clock_wrong' });
  expect(gateway?.log).toContainEqual(expect.objectContaining({ reason: 'clock_behind', user: 'nell' }));
  expect((await json(admin, 'GET', '/postern/api/attention')).body).toContainEqual(
    expect.objectContaining({ kind: 'clock_behind', level: 'problem' }),
  );
  expect((await json(admin, 'GET', '/postern/api/doctor')).body).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining({ name: 'clock', result: 'fault' })]) as unknown,
  });
  expect(gateway?.log).toContainEqual(expect.objectContaining({ event: 'clock_behind' }));
  // The network sets it.
  now = began + minute;
  expect(await use(address, lent)).toEqual(open);
});

test('a clock that was ahead is put right by a command, and what was made meanwhile ends', async () => {
  await startAt(began + year);
  const meanwhile = await lend(gateway?.addresses.authenticated ?? '');
  const address = await startAt(Date.now());
  expect(await use(address, meanwhile)).toEqual({ ...open, guest: 403 });
  const said = await outputOf(directory, ['clock', 'reset']);
  expect(said).toContain('ended what was made at a later time');
  await expect.poll(async () => (await use(address, meanwhile)).token).toBe(401);
  const { guest, ...ended } = await use(address, meanwhile);
  expect({ guest, ...ended }).toEqual({ ...over, guest: 401 });
  // A session of that time stays refused.
  expect((await movedTo(address, meanwhile.admin).send('GET', '/api/profile')).status).toBe(401);
  const store = new DatabaseSync(join(directory, 'postern.db'), { readOnly: true });
  expect(store.prepare('SELECT resets FROM trusted_time').get()).toEqual({ resets: 1 });
  store.close();
});

test('the self-signed certificate outlasts a wrong clock, and a line says when it is replaced', async () => {
  const file = join(directory, 'tls', 'self-signed.pem');
  const ofCertificate = () =>
    gateway?.log.map(({ msg }) => String(msg)).filter((msg) => msg.includes('self-signed certificate'));
  const { cert: expired } = await selfSignedCertificate(directory, began - 3 * year);
  await startAt(began);
  const made = readFileSync(file, 'utf8');
  expect(made).not.toBe(expired);
  expect(ofCertificate()).toEqual([
    expect.stringContaining('replaced the self-signed certificate, which has expired'),
  ]);
  for (const off of [-10 * year, 10 * year]) {
    await startAt(began + off);
    expect(readFileSync(file, 'utf8')).toBe(made);
  }
  expect(ofCertificate()).toEqual([expect.stringContaining('kept the self-signed certificate')]);
});
