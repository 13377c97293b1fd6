import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adminOf, goodPassword, userOf, type Visitor } from '../support/log-in.ts';
import { connectTo } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { slowness } from '../support/patience.ts';

let gateway: RunningGateway;
let admin: Visitor;
beforeEach(async () => {
  gateway = await startGateway();
  admin = await adminOf(gateway);
});
afterEach(() => gateway.close());

/** Sends all but the body, for which the gate waits. @returns sends that too, and gives the status of the answer */
async function begin(address: string, method: string, uri: string, token: string, body: object) {
  const text = JSON.stringify(body);
  const socket = connectTo(address, !address.startsWith('unix:'));
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  // The gate may have answered and closed before the rest is sent.
  socket.on('error', () => socket.destroy());
  socket.write(
    `${method} ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: session_token=${token}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, 1)}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  return async () => {
    if (socket.writable) socket.write(text.slice(1));
    if (!socket.closed) await once(socket, 'close');
    return Number(answer.split(' ', 2)[1]);
  };
}

const password = goodPassword;

test.each(['embedded front', 'forward-auth listener'])(
  'a client that sends a body slowly does not keep what was taken away meanwhile: %s',
  async (front) => {
    const { authenticated = '', forwardAuthAuthenticated = '' } = gateway.addresses;
    const address = front === 'embedded front' ? authenticated : forwardAuthAuthenticated;
    const thief = await userOf(admin, authenticated, 'thief', 'admin');
    const token = thief.token ?? '';
    const requests = await Promise.all([
      begin(address, 'POST', '/postern/api/tokens', token, { name: 'for ever', role: 'viewer' }),
      begin(address, 'POST', '/api/users', token, { username: 'ghost', password, role: 'admin' }),
      begin(address, 'PUT', '/api/users/admin/password', token, { password }),
      begin(address, 'PUT', '/api/users/thief/role', token, { role: 'admin' }),
      begin(address, 'POST', '/postern/api/explain', token, { method: 'GET', uri: '/' }),
    ]);
    expect((await admin.send('DELETE', '/postern/api/sessions?user=thief')).status).toBe(204);
    expect(await Promise.all(requests.map((finish) => finish()))).toEqual([401, 401, 401, 401, 401]);
    expect((await admin.send('GET', '/postern/api/tokens')).body).toBe('[]');
  },
);

test('does not wait for the body of a refused request', async () => {
  const { authenticated = '' } = gateway.addresses;
  const began = performance.now();
  const finish = await begin(authenticated, 'POST', '/api/users', 'no token', { username: 'ghost' });
  expect(await finish()).toBe(401);
  expect(performance.now() - began).toBeLessThan(5_000 * slowness);
});
