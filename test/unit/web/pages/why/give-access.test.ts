import { expect, test } from 'vitest';
import { placesOf, type AccessPlace } from '../../../../../src/web/pages/why/give-access.ts';

const olaf = { user: 'olaf', role: 'family', token_id: null, not_granted: [] };
const missing = { ...olaf, reason: 'camera_not_granted', not_granted: ['garage'] };
const mayNot = { ...olaf, reason: 'role_may_not' };
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
  ['what the role may not do', mayNot, 'session', [{ kind: 'may', role: 'family' }, otherRole]],
  ['that by an API token', { ...mayNot, token_id: 't1' }, 'api-token', [{ kind: 'tokens', user: 'olaf' }]],
  [
    'a camera of someone whose role is theirs alone',
    { ...missing, role: 'guest_0123456789ab' },
    'session',
    [{ kind: 'person', user: 'olaf' }],
  ],
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
  [
    'a role outside its schedule',
    { ...olaf, reason: 'role_outside_schedule' },
    'session',
    [{ kind: 'schedule', role: 'family' }, otherRole],
  ],
  [
    'that of an API token',
    { ...olaf, reason: 'role_outside_schedule', token_id: 't1' },
    'api-token',
    [{ kind: 'tokens', user: 'olaf' }],
  ],
  [
    'earlier recordings',
    { ...olaf, reason: 'before_schedule' },
    'session',
    [{ kind: 'earlier', role: 'family' }, otherRole],
  ],
  [
    'what may be an earlier recording',
    { ...olaf, reason: 'time_unreadable' },
    'session',
    [{ kind: 'earlier', role: 'family' }, otherRole],
  ],
  ['a camera, asked for a role', { ...missing, user: null }, null, [cameras]],
  ['a blocked user', { ...olaf, reason: 'user_blocked' }, null, [{ kind: 'unblock', user: 'olaf' }]],
  [
    'a user without a second factor',
    { ...olaf, reason: 'second_factor_missing' },
    null,
    [{ kind: 'account', user: 'olaf' }],
  ],
  ['no one', { ...olaf, user: null, role: null, reason: 'no_session' }, null, []],
  ['a path that no server reads alike', { ...olaf, reason: 'uri_dot_segment' }, 'session', []],
])('%s', (_, refusal, source, places) => {
  expect(placesOf(refusal, source)).toEqual(places);
});
