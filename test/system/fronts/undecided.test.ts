import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { everyFront, startEveryFront, type AnyFront } from '../../support/every-front.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../../support/recording-upstream.ts';
import { listenOnLoopback } from '../../support/reverse-proxy.ts';

/* A gate that cannot decide: it answers as ours does without its store, and after a fault of its own. */

let status = 503;
let upstream: RecordingUpstream;
let fronts: readonly AnyFront[] = [];
const closing = new AsyncDisposableStack();
beforeAll(async () => {
  upstream = await startRecordingUpstream();
  closing.defer(upstream.close);
  const gate = createServer((_, response) =>
    response.writeHead(status, status === 503 ? { 'retry-after': '1' } : {}).end(),
  );
  const { origin, close } = await listenOnLoopback(gate);
  closing.defer(close);
  const address = origin.slice('http://'.length);
  const addresses = {
    events: upstream.address,
    forwardAuthAuthenticated: address,
    forwardAuthInternal: address,
  };
  fronts = await startEveryFront({ addresses }, upstream.address);
  for (const front of fronts) closing.defer(front.close);
});
afterAll(() => closing.disposeAsync());
beforeEach(() => void upstream.takeReached());

const others = everyFront.filter((name) => name !== 'embedded front');
describe.each(others)('%s', (name) => {
  const ask = () => {
    const { address, tls } = fronts.find((front) => front.name === name) as AnyFront;
    return sendRaw(address, { uri: '/api/version' }, tls);
  };

  test('a gate without its store: the client asks again in a second', async () => {
    status = 503;
    const answer = await ask();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, ['1']]);
    expect(upstream.takeReached()).toEqual([]);
  });

  test('a gate that fails is not one that refuses', async () => {
    status = 500;
    const answer = await ask();
    // Caddy and Envoy pass on the gate's answer; the others treat it as a gate that is away.
    expect(name === 'Caddy' ? [500] : [503, '1']).toEqual([
      answer.status,
      ...(answer.headers.get('retry-after') ?? []),
    ]);
    expect(upstream.takeReached()).toEqual([]);
  });
});
