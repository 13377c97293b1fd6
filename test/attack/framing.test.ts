import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { startFronts, type Fronts } from '../support/fronts.ts';
import { connectTo } from '../support/raw-http.ts';
import { framingRows, hidden } from './framing-rows.ts';
import { attackConfig, from } from './row.ts';

let fronts: Fronts;
beforeAll(async () => {
  fronts = await startFronts({ config: attackConfig });
});
afterAll(() => fronts.close());

/** 501: the coding is unknown (RFC 9112, 6.1). The gate alone answers a front. */
const refusals: ReadonlySet<number> = new Set([400, 401, 501]);

/** Sends bytes, and reads until the other end closes. @returns the statuses of all answers */
async function statusesOf(address: string, tls: boolean, sent: string): Promise<number[]> {
  const socket = connectTo(address, tls);
  let received = '';
  // A reset behind the answer is an end too.
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.write(sent, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

const lines = (headers: ReadonlyArray<readonly [string, string]>) =>
  headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
const asAdmin = lines([['Host', 'gate.local'], ['Connection', 'close'], ...from('ada', 'group_admin')]);

describe.each(['embedded front', 'nginx'] as const)('%s', (front) => {
  test.each(framingRows)('$name', async ({ lines: framing, body, expect: expected }) => {
    fronts.upstream.takeReached();
    const sent = `POST /api/restart HTTP/1.1\r\n${asAdmin}${framing}\r\n\r\n${body}`;
    const [status = 0, ...others] = await statusesOf(fronts.clientFacing[front].authenticated, true, sent);
    const reached = fronts.upstream.takeReached();
    expect(others).toEqual([]);
    const isRefused = refusals.has(status);
    if (expected !== 'either') expect([status, isRefused]).toEqual([status, expected === 'refused']);
    expect(reached.map(({ method, uri }) => `${method} ${uri}`)).toEqual(
      isRefused ? [] : ['POST /api/restart'],
    );
    for (const { rawHeaders } of reached) {
      const [length, coding] = ['content-length', 'transfer-encoding'].map((name) =>
        headerValues(rawHeaders, name),
      );
      expect([length, coding].flat(), 'one of both, once').toHaveLength(1);
    }
  });
});

// It answers to the head: no front sends it a body.
test.each(framingRows.filter(({ isInBody }) => isInBody === undefined))(
  'the gate alone: $name',
  async ({ lines: framing, body, expect: expected }) => {
    const address = fronts.gateway.addresses.forwardAuthAuthenticated ?? '';
    const asked = lines([
      ['X-Original-Method', 'POST'],
      ['X-Original-URL', '/api/restart'],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Host', 'gate.local'],
    ]);
    const sent = `GET /auth HTTP/1.1\r\n${asAdmin}${asked}${framing}\r\n\r\n${body}`;
    const [status = 0, ...others] = await statusesOf(address, false, sent);
    expect(others).toEqual([]);
    const isRefused = refusals.has(status);
    if (expected !== 'either') expect([status, isRefused]).toEqual([status, expected === 'refused']);
  },
);

test('the hidden request would be seen: it reaches the recorder behind another one', async () => {
  fronts.upstream.takeReached();
  const [host = '', port = ''] = fronts.upstream.address.split(':');
  const sent = `POST /api/restart HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n${hidden.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`;
  expect(await statusesOf(`${host}:${port}`, false, sent)).toEqual([200, 200]);
  expect(fronts.upstream.takeReached().map(({ uri }) => uri)).toEqual(['/api/restart', '/api/hidden']);
});
