import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { recorderAddressOf } from '../../../src/recorder/recorder-address.ts';

const empty = { eventsDatabase: undefined, source: undefined };

test('sends the secret of the recorder only to the address in `upstream`', async () => {
  const told: unknown[] = [];
  const start = async () => {
    const server = createServer(({ headers }, response) => {
      told.push(headers['x-proxy-secret']);
      response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const [upstream, other] = [await start(), await start()];
  const configured = { address: { origin: upstream, certificate: undefined }, authSecret: 'secret' };
  const nothing = () => {
    throw new Error('nothing is written');
  };
  const place = recorderAddressOf({ upstream, recorder: configured, ...empty }, configured, {
    change: nothing,
    directory: '/nowhere',
    check: nothing,
    findDatabase: nothing,
  });
  await place.try([other]);
  await place.try([`${upstream}/`]);
  expect(told).toEqual([undefined, 'secret']);
  expect([upstream, `${upstream}/`, other].map((address) => place.wouldTellSecret(address))).toEqual([
    false,
    false,
    true,
  ]);
  const open = recorderAddressOf({ upstream, recorder: { authSecret: undefined }, ...empty }, undefined, {
    change: nothing,
    directory: '/nowhere',
    check: nothing,
    findDatabase: nothing,
  });
  expect(open.wouldTellSecret(other)).toBe(false);
});
