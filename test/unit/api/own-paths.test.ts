import {
  guardedEndpoints,
  openEndpoints,
  ownPaths as every,
  ownRules,
} from '../../support/every-endpoint.ts';
import { expect, test } from 'vitest';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { known } from '../policy/known-cameras.ts';

const resolve = prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(['front']));
const levelOf = (request: string) => {
  const [method, path = ''] = request.split(' ', 2);
  const { level, requiresSession } = resolve({ path, query: '' }, method).rule;
  return requiresSession === true ? `${level}, by a session` : level;
};

/** Every endpoint, and its access level. */
const levels: ReadonlyArray<[request: string, level: string]> = [
  ['GET /auth', 'own-account'],
  ['PUT /auth', 'own-account'],
  ['GET /api/login', 'public'],
  ['HEAD /api/login', 'public'],
  ['POST /api/login', 'public'],
  ['PUT /api/login', 'unresolved'],
  ['GET /api/logout', 'own-account'],
  ['POST /api/logout', 'own-account'],
  ['GET /logout', 'own-account'],
  ['POST /logout', 'own-account'],
  ['GET /login', 'public'],
  ['POST /login', 'any'],
  ['GET /postern/assets/index.js', 'public'],
  ['GET /postern/picture', 'public'],
  ['GET /postern/picture/x', 'any'],
  ['GET /postern/assets/x/y', 'any'],
  ['POST /postern/assets/index.js', 'admin-only, by a session'],
  ['GET /postern/share/x', 'public'],
  ['GET /postern/wall', 'public'],
  ['POST /postern/share/x', 'admin-only, by a session'],
  ['GET /api/profile', 'own-account'],
  ['GET /postern/account', 'any'],
  ['GET /postern/explore', 'any'],
  ['GET /postern/api/cameras', 'any'],
  ['GET /postern/api/live/front', 'camera-in-path'],
  ['GET /postern/api/stops', 'admin-only'],
  ['DELETE /postern/api/stops/x', 'admin-only'],
  ['POST /postern/api/live', 'admin-only, by a session'],
  ['POST /postern/api/wall', 'own-account'],
  ['GET /api/users', 'admin-only'],
  ['POST /api/users', 'admin-only, by a session'],
  ['PUT /api/users/olaf/password', 'own-account, by a session'],
  ['POST /api/users/olaf/password', 'admin-only, by a session'],
  ['PUT /api/users/olaf/password/x', 'admin-only, by a session'],
  ['PUT /api/users/olaf/role', 'admin-only, by a session'],
  ['DELETE /api/users/olaf', 'admin-only, by a session'],
  ['GET /api/users/olaf', 'admin-only, by a session'],
  ['GET /postern/api/users', 'admin-only'],
  ['GET /postern/api/users/count', 'admin-only'],
  ['GET /postern/push.js', 'public'],
  ['GET /postern/api/account/email', 'own-account, by a session'],
  ['PUT /postern/api/account/email', 'own-account, by a session'],
  ['GET /postern/api/push', 'own-account, by a session'],
  ['POST /postern/api/push', 'own-account, by a session'],
  ['DELETE /postern/api/push/x', 'own-account, by a session'],
  ['POST /postern/api/access-requests', 'own-account, by a session'],
  ['GET /postern/api/access-requests', 'admin-only'],
  ['GET /postern/api/access-requests/own', 'own-account, by a session'],
  ['DELETE /postern/api/access-requests/olaf/front', 'admin-only'],
  ['GET /postern/api/notifications', 'admin-only'],
  ['POST /postern/api/notifications/test', 'admin-only'],
  ['GET /postern/api/audit/watched', 'admin-only'],
  ['GET /postern/ask', 'any'],
  ['GET /postern/settings/general', 'admin-only'],
  ['GET /postern/settings/notifications', 'admin-only'],
  ['GET /postern/settings/recorder', 'admin-only'],
  ['GET /postern/settings/audit/watching', 'admin-only'],
  ['DELETE /postern/api/users/olaf/factors', 'admin-only, by a session'],
  ['POST /postern/api/login/second-factor', 'public'],
  ['POST /postern/api/login/passkey-options', 'public'],
  ['POST /postern/api/login/passkey', 'public'],
  ['GET /postern/api/login/passkey', 'admin-only, by a session'],
  ['GET /postern/oidc/login', 'public'],
  ['GET /postern/oidc/callback', 'public'],
  ['POST /postern/oidc/callback', 'admin-only, by a session'],
  ['POST /postern/oidc/backchannel-logout', 'public'],
  ['GET /postern/oidc/logged-out', 'public'],
  ['GET /postern/api/sign-in-methods', 'own-account, by a session'],
  ['POST /postern/api/passkeys/options', 'own-account, by a session'],
  ['POST /postern/api/passkeys', 'own-account, by a session'],
  ['DELETE /postern/api/passkeys/x', 'own-account, by a session'],
  ['POST /postern/api/one-time-code/setup', 'own-account, by a session'],
  ['POST /postern/api/one-time-code', 'own-account, by a session'],
  ['DELETE /postern/api/one-time-code', 'own-account, by a session'],
  ['POST /postern/api/recovery-codes', 'own-account, by a session'],
  ['POST /postern/api/step-up/passkey-options', 'own-account, by a session'],
  ['POST /postern/api/step-up', 'own-account, by a session'],
  ['PUT /postern/api/users/olaf/blocked', 'admin-only, by a session'],
  ['GET /postern/api/roles', 'any'],
  ['PUT /postern/api/roles/family', 'admin-only'],
  ['PUT /postern/api/people/nell/role', 'admin-only, by a session'],
  ['PUT /postern/api/people/nell/access', 'admin-only, by a session'],
  ['GET /postern/api/people/nell', 'admin-only, by a session'],
  ['GET /postern/api/people', 'admin-only, by a session'],
  ['DELETE /postern/api/roles/family', 'admin-only, by a session'],
  ['GET /postern/api/roles/family', 'admin-only'],
  ['GET /postern/api/camera-groups', 'admin-only'],
  ['GET /postern/api/camera-groups/offered', 'admin-only'],
  ['PUT /postern/api/camera-groups/offered', 'admin-only'],
  ['PUT /postern/api/camera-groups/outside', 'admin-only'],
  ['DELETE /postern/api/camera-groups/outside', 'admin-only'],
  ['GET /postern/api/camera-groups/outside', 'admin-only, by a session'],
  ['GET /postern/api/recorder/roles', 'admin-only'],
  ['POST /postern/api/recorder/roles', 'admin-only'],
  ['GET /postern/api/sessions', 'own-account, by a session'],
  ['DELETE /postern/api/sessions/x', 'own-account, by a session'],
  ['DELETE /postern/api/sessions', 'own-account, by a session'],
  ['GET /postern/api/streams', 'any'],
  ['DELETE /postern/api/streams/x', 'admin-only'],
  ['GET /postern/api/shares', 'own-account'],
  ['POST /postern/api/shares', 'own-account'],
  ['DELETE /postern/api/shares/x', 'own-account'],
  ['POST /postern/api/shares/x/open', 'public'],
  ['GET /postern/api/shares/x/open', 'admin-only, by a session'],
  ['GET /postern/share/x/media/api/front/latest.jpg', 'any'],
  ['GET /postern/api/tokens', 'own-account, by a session'],
  ['POST /postern/api/tokens', 'own-account, by a session'],
  ['DELETE /postern/api/tokens/x', 'own-account, by a session'],
  ['POST /postern/api/displays/code', 'public'],
  ['POST /postern/api/displays/token', 'public'],
  ['GET /postern/api/displays/token', 'own-account, by a session'],
  ['GET /postern/api/displays', 'own-account, by a session'],
  ['POST /postern/api/displays', 'own-account, by a session'],
  ['PUT /postern/api/displays/x', 'own-account, by a session'],
  ['DELETE /postern/api/displays/x', 'own-account, by a session'],
  ['GET /postern/api/displays/code/x', 'own-account, by a session'],
  ['DELETE /postern/api/displays/code/x', 'own-account, by a session'],
  ['GET /postern/api/invitations', 'admin-only, by a session'],
  ['POST /postern/api/invitations', 'admin-only, by a session'],
  ['GET /postern/api/invitations/x', 'admin-only, by a session'],
  ['DELETE /postern/api/invitations/x', 'admin-only, by a session'],
  ['POST /postern/api/invitations/x/open', 'public'],
  ['POST /postern/api/invitations/x/passkey', 'public'],
  ['POST /postern/api/invitations/x/accept', 'public'],
  ['GET /postern/invite/x', 'public'],
  ['GET /postern/pair', 'public'],
  ['POST /postern/api/explain', 'admin-only'],
  ['GET /postern/api/access', 'admin-only, by a session'],
  ['POST /postern/api/access', 'admin-only, by a session'],
  ['GET /postern/api/audit', 'admin-only'],
  ['GET /postern/api/configuration', 'admin-only'],
  ['GET /postern/api/openapi.json', 'any'],
  ['GET /postern/api/attention', 'any'],
  ['GET /postern/api/doctor', 'admin-only'],
  ['GET /postern/api/first-run', 'admin-only'],
  ['POST /postern/api/first-run', 'admin-only'],
  ['GET /postern/api/recorder/address', 'admin-only'],
  ['POST /postern/api/recorder/address', 'admin-only, by a session'],
  ['PUT /postern/api/recorder/address', 'admin-only, by a session'],
  ['GET /postern/api/appearance', 'admin-only'],
  ['PUT /postern/api/appearance', 'admin-only, by a session'],
  ['GET /postern/api/settings/timezone', 'admin-only, by a session'],
  ['POST /postern/api/settings/notifications/test', 'admin-only, by a session'],
  ['PUT /postern/api/settings/timezone', 'admin-only, by a session'],
  ['GET /postern/api/version', 'any'],
  ['GET /postern/api/anything/else', 'admin-only, by a session'],
  ['GET /postern/', 'any'],
  ['GET /postern/explore', 'any'],
  ['GET /postern/settings/users', 'admin-only'],
  ['GET /postern/cameras/front', 'camera-in-path'],
  ['GET /postern/live/front', 'camera-in-path'],
  ['GET /postern/events', 'any'],
  ['GET /postern/events/1793175318.749865-ef7cib', 'camera-of-event'],
  ['GET /postern/no/such/page', 'any'],
  ['POST /postern/settings/users', 'admin-only, by a session'],
];

test.each(levels)('%s: %s', (request, level) => {
  expect(levelOf(request)).toBe(level);
});

test('lists every endpoint', () => {
  const named = new Set(levels.map(([request]) => resolveRule(request)));
  expect(ownRules.filter((rule) => !named.has(rule))).toEqual([]);
});

test('lists each endpoint once', () => {
  const listed = [...openEndpoints, ...guardedEndpoints].map(({ method, path }) => `${method} ${path}`);
  expect(new Set(listed).size).toBe(listed.length);
});

/** Whether the gate answers a path itself: without a recorder's UI, and with one. */
const ownPaths: ReadonlyArray<[path: string, alone: boolean, besideRecorder: boolean]> = [
  ['/postern', true, true],
  ['/postern/', true, true],
  ['/postern/anything/at/all', true, true],
  ['/posternx', false, false],
  ['/POSTERN/', false, false],
  ['/auth', true, true],
  ['/login', true, true],
  ['/login/x', false, false],
  ['/logout', true, true],
  ['/api/login', true, true],
  ['/api/logout', true, true],
  ['/api/profile', true, true],
  ['/api/profile/x', false, false],
  ['/api/users', true, true],
  ['/api/users/olaf/password', true, true],
  ['/api/usersx', false, false],
  ['/api/events', false, false],
  ['/api/authz/forward-auth', false, false],
  ['/', true, false],
  ['/explore', false, false],
  ['/settings', false, false],
  ['/settings/users', false, false],
  ['/live/front', false, false],
  ['/account', false, false],
  ['/events/x', false, false],
  ['/api/roles', false, false],
  ['/api/cameras', false, false],
];

test.each(ownPaths)(
  '%s is answered by the gate: %s; with a UI of the recorder: %s',
  (path, alone, beside) => {
    expect(every.isOwn(path, false)).toBe(alone);
    expect(every.isOwn(path, true)).toBe(beside);
  },
);

function resolveRule(request: string) {
  const [method, path = ''] = request.split(' ', 2);
  return resolve({ path, query: '' }, method).rule;
}
