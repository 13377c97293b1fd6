import { expect, test } from 'vitest';
import { placesOf, type AccessPlace } from '../../../../../src/web/pages/audit/give-access.ts';

const olaf = { user: 'olaf', role: 'family', token_id: null, not_granted: [] };
const missing = { ...olaf, reason: 'camera_not_granted', not_granted: ['garage'] };
const cameras: AccessPlace = { kind: 'role', role: 'family', cameras: ['garage'] };
const otherRole: AccessPlace = { kind: 'user', user: 'olaf' };

test.each<
  [
    what: string,
    refusal: Parameters<typeof placesOf>[0],
    source: string | null,
    places: readonly AccessPlace[],
  ]
>([
  ['a camera that the role does not have', missing, 'session', [cameras, otherRole]],
  ['that of a user of a proxy', missing, 'proxy', [cameras, { kind: 'proxy' }]],
  ['one of an API token', { ...missing, token_id: 't1' }, 'api-token', [{ kind: 'tokens', user: 'olaf' }]],
  ['what admins may', { ...olaf, reason: 'admin_only' }, 'session', [otherRole]],
  ['a change', { ...olaf, reason: 'read_only' }, 'bearer', [otherRole]],
  [
    'what admins may, by a token',
    { ...olaf, reason: 'admin_only', token_id: 't1' },
    'api-token',
    [{ kind: 'tokens', user: 'olaf' }],
  ],
  [
    'a list of a role that the recorder lacks',
    { ...olaf, reason: 'recorder_role_unverified' },
    'session',
    [{ kind: 'recorder', role: 'family' }],
  ],
  [
    'a user who is gone',
    { ...olaf, user: null, role: null, reason: 'user_unknown' },
    null,
    [{ kind: 'add-user' }],
  ],
  [
    'a token that is gone',
    { ...olaf, user: null, role: null, reason: 'api_token_unknown' },
    null,
    [{ kind: 'tokens' }],
  ],
  ['no one', { ...olaf, user: null, role: null, reason: 'no_session' }, null, []],
  ['a path that no server reads alike', { ...olaf, reason: 'uri_dot_segment' }, 'session', []],
])('%s', (_, refusal, source, places) => {
  expect(placesOf(refusal, source)).toEqual(places);
});
