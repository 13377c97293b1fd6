import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { identityHeaders } from '../../../src/policy/identity-headers.ts';
import { everyFront, startEveryFront, type AnyFront } from '../../support/every-front.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../../support/recording-upstream.ts';
import { listenOnLoopback } from '../../support/reverse-proxy.ts';

/** Gates that allow every request without an identity, which no gate of ours does. */
const gates = {
  'names no user': () => createServer((_, response) => response.end()),
  'names an empty user': () =>
    createServer((_, response) => {
      for (const name of identityHeaders) response.setHeader(name, name === 'remote-role' ? 'admin' : '');
      response.end();
    }),
} as const;

let upstream: RecordingUpstream;
const fronts = new Map<string, readonly AnyFront[]>();
const closing: Array<() => Promise<unknown>> = [];

beforeAll(async () => {
  upstream = await startRecordingUpstream();
  for (const [gate, make] of Object.entries(gates)) {
    const { origin, close } = await listenOnLoopback(make());
    const address = origin.slice('http://'.length);
    const addresses = {
      events: upstream.address,
      forwardAuthAuthenticated: address,
      forwardAuthInternal: address,
    };
    fronts.set(gate, await startEveryFront({ addresses }, upstream.address));
    closing.push(close);
  }
});
afterAll(async () => {
  await Promise.all([...fronts.values()].flat().map((front) => front.close()));
  await Promise.all([...closing, upstream.close].map((close) => close()));
});
beforeEach(() => void upstream.takeReached());

const others = everyFront.filter((name) => name !== 'embedded front');
test.each(Object.keys(gates).flatMap((gate) => others.map((name) => [gate, name] as const)))(
  'a gate that allows and %s: %s passes nothing on',
  async (gate, name) => {
    const front = fronts.get(gate)?.find((found) => found.name === name) as AnyFront;
    const statuses: number[] = [];
    for (const uri of ['/api/version', '/', '/postern/assets/', '/clips/a/b.jpg']) {
      const headers = [
        ['Remote-User', 'admin'],
        ['Remote-Role', 'admin'],
      ] as const;
      for (const request of [{ uri }, { uri, headers }, { uri, method: 'POST', body: 'x' }])
        statuses.push((await sendRaw(front.address, request, front.tls)).status);
    }
    // The gate itself answers /postern/assets/, and / leads there when it has no recorder's UI. Changes go to a relay that is not there.
    expect(statuses.filter((status) => ![401, 500, 200, 303, 502, 503].includes(status))).toEqual([]);
    expect(upstream.takeReached()).toEqual([]);
  },
);
