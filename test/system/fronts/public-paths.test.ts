import { ownRules } from '../../support/every-endpoint.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isBelowOwnBase } from '../../../src/api/own-paths.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { namedBy, requestsAround } from '../../support/around-public-paths.ts';
import { keptConnection, sendRaw, type RawAnswer, type RawRequest } from '../../support/raw-http.ts';
import { everyFront, startFrontedGateway, type FrontedGateway } from '../../support/every-front.ts';
import { recordedFronts } from './recordings.ts';

const publicPaths = new Set(
  [...ownRules, ...lockedRules, ...recorderRules]
    .filter(({ level }) => level === 'public')
    .map(({ path }) => path),
);
/** All that is below `/postern/` has one location in each front: one path of each form stands for the others there. */
const representatives = new Set(['/postern/assets/*', '/postern/oidc/callback']);
/** Patterns of what fronts pass on to the gate without an authorization request, and what the gate answers there without an identity. */
const unaskedPaths: ReadonlyArray<readonly [path: string, status: number]> = [
  // There is no such file of the UI, and no provider is configured.
  ...[...publicPaths]
    .filter((path) => !isBelowOwnBase(path) || representatives.has(path))
    .map((path) => [path, representatives.has(path) ? 404 : 200] as const),
  ...['/postern', '/postern/api/roles', '/api/users/*'].map((path) => [path, 401] as const),
];

let running: FrontedGateway;

beforeAll(async () => {
  running = await startFrontedGateway();
});
afterAll(() => running.close());
beforeEach(() => void running.upstream.takeReached());

const inParallel = 8;

async function sendAll(
  [address, tls]: readonly [address: string, tls: boolean],
  requests: readonly RawRequest[],
  onAnswer: (answer: RawAnswer, request: RawRequest) => void = () => undefined,
) {
  const waiting = requests.values();
  const worker = async () => {
    using connection = keptConnection(address, tls);
    for (const request of waiting) onAnswer(await connection.send(request), request);
  };
  await Promise.all(Array.from({ length: inParallel }, worker));
}

test('there are public rows', () => {
  expect([...publicPaths].toSorted()).toEqual([
    '/api/login',
    '/login',
    '/postern/api/displays/code',
    '/postern/api/displays/token',
    '/postern/api/invitations/*/accept',
    '/postern/api/invitations/*/open',
    '/postern/api/invitations/*/passkey',
    '/postern/api/login/passkey',
    '/postern/api/login/passkey-options',
    '/postern/api/login/second-factor',
    '/postern/api/shares/*/open',
    '/postern/assets/*',
    '/postern/invite/*',
    '/postern/oidc/backchannel-logout',
    '/postern/oidc/callback',
    '/postern/oidc/logged-out',
    '/postern/oidc/login',
    '/postern/pair',
    '/postern/picture',
    '/postern/push.js',
    '/postern/share/*',
    '/postern/wall',
  ]);
  expect(representatives.isSubsetOf(publicPaths)).toBe(true);
});

describe.each(unaskedPaths)('around %s', (path, status) => {
  const requests = requestsAround({ path });

  test.each(everyFront)(
    'no request reaches the recorder through %s without an identity',
    async (name) => {
      const { address, tls } = running.front(name);
      await sendAll([address, tls], requests);
      expect(running.upstream.takeReached().map(({ method, uri }) => `${method} ${uri}`)).toEqual([]);
      const exact = await sendRaw(address, { uri: namedBy({ path }) }, tls);
      expect(exact.status).toBe(status);
    },
    60_000,
  );

  test.each(['Traefik', 'Envoy'] as const)('%s is allowed nothing without an identity', async (name) => {
    const allowed: string[] = [];
    const address = running.gateway.addresses.forwardAuthAuthenticated ?? '';
    const asked = requests.map(recordedFronts[name].authorizationRequest);
    await sendAll([address, false], asked, ({ status }, { uri, headers }) => {
      if (status === 200) allowed.push(`${uri} ${JSON.stringify(headers)}`);
    });
    expect(allowed).toEqual([]);
  });
});
