import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  frontProof,
  onlyFronts,
  requireFrontProof,
  type FrontProof,
} from '../../../../src/http/fronts/front-trust.ts';
import { createDecisionTally } from '../../../../src/telemetry/decision-tally.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { refuseUnparsable } from '../../../../src/api/listener.ts';
import { connectTo, sendRaw } from '../../../support/raw-http.ts';
import { auditInLog } from '../../api/api-dependencies.ts';

const secret = 'a secret of all fronts';
const outside = '198.51.100.7';

/** A listener whose peers seem to have another address; the connections are real. */
async function listenTo(proof: FrontProof, peer: string | undefined) {
  const log: string[] = [];
  const tally = createDecisionTally();
  const server = createServer();
  const isFront = requireFrontProof(
    server,
    () => proof,
    auditInLog(createLogger('info', { write: (line) => log.push(line) })),
    tally,
  );
  let asked = 0;
  server.on(
    'request',
    onlyFronts(isFront, (_, outgoing) => {
      asked += 1;
      outgoing.end('answered');
    }),
  );
  const door = createTcpServer((socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: peer });
    server.emit('connection', socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void door.close());
  await once(door, 'listening');
  return { address: `127.0.0.1:${(door.address() as AddressInfo).port}`, log, tally, asked: () => asked };
}

const proofs = {
  none: frontProof([], undefined),
  network: frontProof(['198.51.100.0/24', 'fd00::/8'], undefined),
  secret: frontProof(['203.0.113.1'], secret),
} satisfies Record<string, FrontProof>;

test('survives a client that breaks off after CONNECT', async () => {
  const server = createServer((_, outgoing) => outgoing.end('answered')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  refuseUnparsable(
    server,
    auditInLog(createLogger('silent', { write: () => undefined })),
    createDecisionTally(),
  );
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (let i = 0; i < 20; i += 1) {
    const socket = connectTo(address);
    socket.on('error', () => undefined);
    socket.write('CONNECT recorder.test:80 HTTP/1.1\r\nHost: recorder.test\r\n\r\n', () =>
      socket.resetAndDestroy(),
    );
    await once(socket, 'close');
  }
  const whole = await sendRaw(address, { method: 'CONNECT', uri: 'recorder.test:80' });
  expect(whole.status).toBe(401);
  expect(await sendRaw(address, { uri: '/' })).toMatchObject({ body: 'answered' });
});

describe('accepts', () => {
  test.each<[what: string, proof: FrontProof, peer: string | undefined, shown: string | undefined]>([
    ['loopback', proofs.none, '127.0.0.1', undefined],
    ['loopback on a dual-stack socket', proofs.none, '::ffff:127.0.0.9', undefined],
    ['loopback by IPv6', proofs.none, '::1', undefined],
    ['a trusted network', proofs.network, outside, undefined],
    ['a trusted network by IPv6', proofs.network, 'fd00::7', undefined],
    ['the secret, from anywhere', proofs.secret, outside, secret],
    ['a trusted address, without the secret', proofs.secret, '203.0.113.1', undefined],
  ])('%s', async (_, proof, peer, shown) => {
    const { address, log } = await listenTo(proof, peer);
    const headers = shown === undefined ? [] : [['X-Front-Secret', shown] as const];
    expect(await sendRaw(address, { uri: '/auth', headers })).toMatchObject({
      status: 200,
      body: 'answered',
    });
    expect(log).toEqual([]);
  });

  test.each<[what: string, proof: FrontProof, peer: string | undefined]>([
    ['any other client', proofs.none, outside],
    ['another network', proofs.network, '198.51.101.7'],
    ['a peer that is gone', proofs.none, undefined],
  ])('not %s: nothing is parsed', async (_, proof, peer) => {
    const { address, log, tally, asked } = await listenTo(proof, peer);
    const { status } = await sendRaw(address, { uri: '/auth', headers: [['X-Front-Secret', secret]] });
    expect(status).toBe(0);
    expect(asked()).toBe(0);
    expect([...tally.counted()]).toMatchObject([{ reason: 'front_unproven', count: 1 }]);
    expect(log.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ reason: 'front_unproven', msg: 'refused' }),
    ]);
  });

  test.each<[what: string, shown: ReadonlyArray<readonly [string, string]>]>([
    ['no secret', []],
    ['a wrong secret', [['X-Front-Secret', `${secret}.`]]],
    [
      'two secrets',
      [
        ['X-Front-Secret', secret],
        ['X-Front-Secret', secret],
      ],
    ],
  ])('no other client with %s', async (_, shown) => {
    const { address, log, asked } = await listenTo(proofs.secret, outside);
    const answer = await sendRaw(address, { method: 'POST', uri: '/api/login', headers: shown, body: '{}' });
    expect(answer).toMatchObject({ status: 403, body: '' });
    expect(asked()).toBe(0);
    expect(log.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ reason: 'front_unproven', address: outside }),
    ]);
    expect(log.join('')).not.toContain(secret);
  });
});
