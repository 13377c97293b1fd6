import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownRules } from '../../../src/api/own-paths.ts';
import { lockedRules, recorderRules } from '../../../src/policy/access-rules.ts';
import { namedBy, requestsAround } from '../../support/around-public-paths.ts';
import { sendRaw, type RawAnswer, type RawRequest } from '../../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../../support/recording-upstream.ts';
import { everyFront, startEveryFront, type AnyFront } from '../../support/every-front.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';
import { recordedFronts } from './recordings.ts';

const publicPaths = new Set(
  [...ownRules, ...lockedRules, ...recorderRules]
    .filter(({ level }) => level === 'public')
    .map(({ path }) => path),
);
/** Patterns of what fronts pass on to the gate without a question, and what the gate says to nobody there. */
const unaskedPaths: ReadonlyArray<readonly [path: string, status: number]> = [
  // There is no such file of the UI.
  ...[...publicPaths].map((path) => [path, path.includes('*') ? 404 : 200] as const),
  ...['/postern', '/postern/api/roles', '/api/users/*'].map((path) => [path, 401] as const),
];

let upstream: RecordingUpstream;
let gateway: RunningGateway;
let fronts: readonly AnyFront[];

beforeAll(async () => {
  upstream = await startRecordingUpstream();
  gateway = await startGateway({
    config: {
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: 'off' },
        forward_auth: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
      },
      upstream: `http://${upstream.address}`,
    },
  });
  fronts = await startEveryFront(gateway, upstream.address);
});
afterAll(async () => {
  await Promise.all(fronts.map((front) => front.close()));
  await gateway.close();
  await upstream.close();
});
beforeEach(() => void upstream.takeReached());

const inParallel = 8;

async function sendAll(requests: readonly RawRequest[], send: (request: RawRequest) => Promise<RawAnswer>) {
  const waiting = requests.values();
  const worker = async () => {
    for (const request of waiting) await send(request);
  };
  await Promise.all(Array.from({ length: inParallel }, worker));
}

test('there are public rows', () => {
  expect([...publicPaths]).toEqual(['/api/login', '/login', '/postern/assets/*']);
});

describe.each(unaskedPaths)('around %s', (path, status) => {
  const requests = requestsAround({ path });

  test.each(everyFront)(
    'nobody reaches the recorder through %s without an identity',
    async (name) => {
      const front = fronts.find((found) => found.name === name) as AnyFront;
      await sendAll(requests, (request) => sendRaw(front.address, request, front.tls));
      expect(upstream.takeReached().map(({ method, uri }) => `${method} ${uri}`)).toEqual([]);
      const exact = await sendRaw(front.address, { uri: namedBy({ path }) }, front.tls);
      expect(exact.status).toBe(status);
    },
    60_000,
  );

  test.each(['Traefik', 'Envoy'] as const)('%s is allowed nothing without an identity', async (name) => {
    const allowed: string[] = [];
    const address = gateway.addresses.forwardAuthAuthenticated ?? '';
    await sendAll(requests, async (request) => {
      const answer = await sendRaw(address, recordedFronts[name].authorizationRequest(request));
      if (answer.status === 200) allowed.push(`${request.method ?? 'GET'} ${request.uri}`);
      return answer;
    });
    expect(allowed).toEqual([]);
  });
});
