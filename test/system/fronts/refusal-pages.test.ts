import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyFront, startFrontedGateway, type FrontedGateway } from '../../support/every-front.ts';
import { adminOf, cookieOf, guestOf, userOf, type Visitor } from '../../support/log-in.ts';
import { sendRaw, type RawAnswer } from '../../support/raw-http.ts';

/* A browser that navigates to what its user may not see gets the page of the gate, whatever front it came by. */

let running: FrontedGateway;
let nell: Visitor;
let lea: Visitor;

beforeAll(async () => {
  running = await startFrontedGateway({
    cameras: ['driveway', 'garage'],
    contact: 'Olaf <olaf@home.example>',
    auth: { roles: { operator: ['driveway'] } },
  });
  const admin = await adminOf(running.gateway);
  nell = await userOf(admin, running.gateway.addresses.authenticated ?? '', 'nell', 'operator');
  const access = { role: 'operator' };
  lea = await guestOf(admin, running.gateway.addresses.authenticated ?? '', 'lea', access);
});
afterAll(() => running.close());

const browser = [
  ['Accept', 'text/html,*/*;q=0.8'],
  ['Accept-Language', 'de-DE,de;q=0.9,en;q=0.8'],
] as const;

describe.each(everyFront)('%s', (name) => {
  const send = (uri: string, method = 'GET', who: Pick<Visitor, 'token'> = nell): Promise<RawAnswer> => {
    const { address, tls } = running.front(name);
    const cookie = who.token === undefined ? [] : [['Cookie', `session_token=${who.token}`] as const];
    const headers = [...cookie, ...browser];
    return sendRaw(address, { method, uri, headers }, tls);
  };

  test('a refused browser gets the page, with the user, the decision and whom to ask', async () => {
    const { status, headers, body } = await send('/api/garage/latest.jpg?h=1');
    expect(status).toBe(403);
    const [decision] = headers.get('x-postern-decision') ?? [''];
    expect(body).toContain(`<code>${decision}</code>`);
    expect(body).toContain('<strong dir="auto">nell</strong>');
    expect(body).toContain('<bdi>Olaf &lt;olaf@home.example&gt;</bdi>');
    expect(body).toContain('formaction="/logout?next=%2Fapi%2Fgarage%2Flatest.jpg%3Fh%3D1"');
    expect(body).toContain('Sie können Driveway sehen.');
    expect(body).not.toMatch(/camera_not_granted|driveway/);
    expect(headers.get('cache-control')).toEqual(['no-store']);
    expect(headers.get('x-content-type-options')).toEqual(['nosniff']);
    expect(headers.get('content-security-policy')).toEqual([expect.stringContaining("default-src 'none'")]);
    expect(headers.has('x-postern-reason')).toBe(false);
    expect(running.upstream.takeReached()).toEqual([]);
  });

  test('someone who was invited asks who invited them; no one else reads that name', async () => {
    const { body } = await send('/api/garage/latest.jpg', 'GET', lea);
    expect(body).toContain('Wenn Sie auch Garage brauchen, fragen Sie admin.');
    expect(body).toContain('>admin fragen</a>');
    expect(body).not.toContain('Olaf');
    for (const who of [nell, { token: undefined }]) {
      const other = await send('/api/garage/latest.jpg', 'GET', who);
      expect(other.body).not.toMatch(/\badmin\b/);
    }
  });

  test('a HEAD has the lines and no body', async () => {
    const { status, headers, body } = await send('/api/garage/latest.jpg', 'HEAD');
    expect([status, body]).toEqual([403, '']);
    // It has no map to detect a HEAD, and answers as for a program.
    if (name !== 'Nginx Proxy Manager')
      expect(headers.get('content-type')).toEqual(['text/html; charset=utf-8']);
  });

  test('a user who logs out to log in as another one comes back', async () => {
    const { address, tls } = running.front(name);
    const leave = await sendRaw(address, { method: 'POST', uri: '/logout?next=%2Fapi%2Fx%3Fh%3D1' }, tls);
    expect([leave.status, leave.headers.get('location')]).toEqual([303, ['/login?next=%2Fapi%2Fx%3Fh%3D1']]);
    expect(cookieOf(leave)).toBe('');
  });
});
