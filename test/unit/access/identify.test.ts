import { expect, test } from 'vitest';
import type { RequestContext } from '../../../src/policy/request-context.ts';
import { apiDependencies, authorizationOf, settings } from '../api/api-dependencies.ts';

const rules = { ...settings.rules, internalHosts: new Set(['gate.lan']) };
const { identify } = authorizationOf(apiDependencies({ rules }).dependencies);
const request: RequestContext = {
  entryPoint: 'authenticated',
  method: 'GET',
  uri: '/postern/api/profile',
  headers: ['Remote-User', 'olaf', 'Remote-Groups', 'family'],
  host: 'gate.local',
  secure: true,
};

test('identifies the user', async () => {
  expect(await identify(request)).toMatchObject({ user: 'olaf', role: 'family', source: 'proxy' });
  expect(await identify({ ...request, headers: [] })).toBeUndefined();
  const internal = { ...request, entryPoint: 'internal', headers: [], host: 'gate.lan' } as const;
  expect(await identify(internal)).toMatchObject({ role: 'admin', source: 'internal' });
});

test.each<[what: string, change: Partial<RequestContext>]>([
  [
    'the internal entry point by the name of another site',
    { entryPoint: 'internal', host: 'rebound.example' },
  ],
  ['the internal entry point by no name', { entryPoint: 'internal', host: undefined }],
  ['TRACE', { method: 'TRACE' }],
  ['what could not be read', { fault: { reason: 'uri_malformed' } as never }],
])('identifies no one with %s', async (_, change) => {
  expect(await identify({ ...request, ...change })).toBeUndefined();
});
