import { expect, test } from 'vitest';
import { askForAccess } from '../../../src/features/access-requests/endpoints.ts';
import { approveDisplay } from '../../../src/features/displays/endpoints.ts';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { testTarget, testTargets, setOwnEmail } from '../../../src/features/alerts/endpoints.ts';
import { switchPushOn } from '../../../src/features/push/endpoints.ts';
import {
  addOneTimeCode,
  beginOneTimeCode,
  makeRecoveryCodes,
  removeOneTimeCode,
} from '../../../src/api/second-factor/one-time-code.ts';
import { addPasskey, beginPasskey, removePasskey } from '../../../src/api/second-factor/passkeys.ts';
import { endSessions } from '../../../src/api/users/sessions.ts';
import { makeShare } from '../../../src/features/shares/endpoints.ts';
import { addApiToken } from '../../../src/features/api-tokens/endpoints.ts';
import { changePassword } from '../../../src/api/users/users.ts';
import { AppError } from '../../../src/errors.ts';
import { askEndpoint } from './ask-endpoint.ts';

const olaf = async () => ({ username: 'olaf', role: 'viewer', issuer: undefined });
const password = 'correct horse battery';
const made = {
  state: 's',
  response: { id: 'p', rawId: 'p', type: 'public-key', response: { clientDataJSON: '{}' } },
};
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'A'.repeat(22),
};

/** What an endpoint reads before the limit; it has nothing else. */
const readings = {
  users: { find: olaf },
  login: { verify: async () => undefined },
  recordedThings: { event: () => undefined },
  shareRules: { enabled: true, longest: 2_592_000_000, mostPerUser: 100 },
};

/** An endpoint for which there is no room anymore. */
function limited(endpoint: Endpoint, role: string) {
  const taken: string[] = [];
  const changeLimit = {
    take: async (change: string, whose: string) => {
      taken.push(`${change} of ${whose}`);
      throw new AppError('too_many_requests', { retryAfterSeconds: 60 });
    },
  };
  return { taken, ...askEndpoint({ endpoint, role, services: { ...readings, changeLimit } }) };
}

test.each<[endpoint: Endpoint, body: object | undefined, taken: string, unlimited?: string]>([
  [approveDisplay, { user_code: 'BCDF-GHJK', name: 'Hall' }, 'display'],
  [addApiToken, { name: 'Home', role: 'viewer' }, 'api_token', 'admin'],
  [makeShare, { kind: 'camera', camera: 'front', expires_in: 3_600 }, 'share', 'admin'],
  [endSessions, undefined, 'own_sessions', 'admin'],
  [askForAccess, { camera: 'front' }, 'access_request'],
  [switchPushOn, { endpoint: 'https://push.example/a', keys }, 'push'],
  [setOwnEmail, { email: 'olaf@example.org' }, 'own_password'],
  [changePassword, { password, old_password: password }, 'own_password'],
  [testTargets, undefined, 'test_alert'],
  [testTarget, { target: {} }, 'test_alert'],
  [beginOneTimeCode, undefined, 'own_factors'],
  [addOneTimeCode, { state: 's', code: '123456' }, 'own_factors'],
  [removeOneTimeCode, undefined, 'own_factors'],
  [makeRecoveryCodes, undefined, 'own_factors'],
  [beginPasskey, undefined, 'own_factors'],
  [addPasskey, { name: 'Phone', ...made }, 'own_factors'],
  [removePasskey, undefined, 'own_factors'],
])('$method $path is limited, before anything is done', async (endpoint, body, taken, unlimited) => {
  const path = endpoint.path.replace(/:\w+/, 'olaf');
  for (const role of ['viewer', 'admin']) {
    const { ask, taken: counted, recorded } = limited(endpoint, role);
    const { status, body: text } = await ask(path, body);
    if (role === unlimited) expect(counted, text).toEqual([]);
    else expect([status, counted, recorded], text).toEqual([429, [`${taken} of olaf`], []]);
  }
});
