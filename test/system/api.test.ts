import { operations } from '../support/every-endpoint.ts';
import * as v from 'valibot';
import { browserKeys } from '../support/push-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, goodPassword, printedPassword, type Visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

interface OperationRequest {
  readonly operation: string;
  readonly status: number;
  /** Where the path of the operation has something to fill in. */
  readonly uri?: string;
  readonly body?: unknown;
}

/** A browser's answer with a passkey. */
const response = { id: 'none', rawId: 'none', type: 'public-key', response: { clientDataJSON: 'none' } };

const access = (who: 'role' | 'person') => ({ cameras: ['driveway'], may: ['live'], for: who });

/** Asked in an order in which all can be answered, and the status that comes of it. */
const operationRequests = (password: string): readonly OperationRequest[] => [
  { operation: 'GET /api/login', status: 200 },
  { operation: 'POST /api/login', status: 200, body: { user: 'admin', password: password } },
  { operation: 'POST /api/login', status: 401, body: { user: 'admin', password: 'wrong' } },
  {
    operation: 'POST /postern/api/login/second-factor',
    status: 403,
    body: { challenge: 'none', code: '123456' },
  },
  { operation: 'POST /postern/api/login/second-factor', status: 422, body: { challenge: 'none' } },
  { operation: 'POST /postern/api/login/passkey-options', status: 200, body: {} },
  { operation: 'POST /postern/api/login/passkey', status: 403, body: { state: 'none', response } },
  { operation: 'GET /postern/api/sign-in-methods', status: 200 },
  { operation: 'POST /postern/api/passkeys/options', status: 200, body: {} },
  { operation: 'POST /postern/api/passkeys', status: 403, body: { name: 'phone', state: 'none', response } },
  { operation: 'DELETE /postern/api/passkeys/{id}', status: 404, uri: '/postern/api/passkeys/none' },
  { operation: 'POST /postern/api/one-time-code/setup', status: 200, body: {} },
  { operation: 'POST /postern/api/one-time-code', status: 403, body: { state: 'none', code: '123456' } },
  { operation: 'DELETE /postern/api/one-time-code', status: 404 },
  { operation: 'POST /postern/api/recovery-codes', status: 409 },
  { operation: 'POST /postern/api/step-up/passkey-options', status: 200, body: {} },
  { operation: 'POST /postern/api/step-up', status: 200, body: { password } },
  { operation: 'POST /postern/api/step-up', status: 403, body: { password: 'wrong' } },
  { operation: 'POST /postern/api/step-up', status: 422, body: { code: '123456' } },
  { operation: 'GET /api/profile', status: 200 },
  { operation: 'GET /postern/api/cameras', status: 200 },
  { operation: 'GET /postern/api/lost-cameras', status: 200 },
  {
    operation: 'DELETE /postern/api/lost-cameras/{camera}',
    status: 404,
    uri: '/postern/api/lost-cameras/shed',
  },
  // There is no recorder.
  {
    operation: 'POST /postern/api/cameras/{camera}/rename',
    status: 502,
    uri: '/postern/api/cameras/shed/rename',
    body: { to: 'garage' },
  },
  { operation: 'GET /postern/api/live/{camera}', status: 200, uri: '/postern/api/live/driveway' },
  { operation: 'GET /postern/api/live/{camera}', status: 404, uri: '/postern/api/live/none' },
  { operation: 'POST /postern/api/wall', status: 200, body: {} },
  { operation: 'POST /postern/api/displays/code', status: 200, body: {} },
  { operation: 'POST /postern/api/displays/token', status: 400, body: { device_code: 'none' } },
  { operation: 'POST /postern/api/displays/token', status: 422, body: {} },
  {
    operation: 'GET /postern/api/displays/code/{code}',
    status: 404,
    uri: '/postern/api/displays/code/BCDF-GHJK',
  },
  {
    operation: 'DELETE /postern/api/displays/code/{code}',
    status: 404,
    uri: '/postern/api/displays/code/BCDF-GHJK',
  },
  {
    operation: 'POST /postern/api/displays',
    status: 404,
    body: { user_code: 'BCDF-GHJK', name: 'Hall' },
  },
  { operation: 'GET /postern/api/displays', status: 200 },
  { operation: 'GET /postern/api/displays/{id}', status: 404, uri: '/postern/api/displays/none' },
  { operation: 'PUT /postern/api/displays/{id}', status: 404, uri: '/postern/api/displays/none', body: {} },
  { operation: 'DELETE /postern/api/displays/{id}', status: 404, uri: '/postern/api/displays/none' },
  { operation: 'GET /postern/api/account/email', status: 200 },
  { operation: 'PUT /postern/api/account/email', status: 204, body: { email: 'olaf@example.org' } },
  { operation: 'PUT /postern/api/account/email', status: 422, body: { email: 'olaf' } },
  { operation: 'GET /postern/api/push', status: 200 },
  {
    operation: 'POST /postern/api/push',
    status: 201,
    body: { endpoint: 'https://push.example.org/a', keys: browserKeys().keys },
  },
  {
    operation: 'POST /postern/api/push',
    status: 422,
    body: { endpoint: 'https://127.0.0.1/a', keys: browserKeys().keys },
  },
  { operation: 'DELETE /postern/api/push/{id}', status: 404, uri: '/postern/api/push/none' },
  { operation: 'POST /postern/api/access-requests', status: 204, body: { camera: 'garage' } },
  { operation: 'GET /postern/api/access-requests', status: 200 },
  { operation: 'GET /postern/api/access-requests/own', status: 200 },
  {
    operation: 'DELETE /postern/api/access-requests/{user}/{camera}',
    status: 404,
    uri: '/postern/api/access-requests/no.such.user/garage',
  },
  { operation: 'GET /postern/api/audit/watched', status: 200 },
  { operation: 'GET /postern/api/audit/watched', status: 422, uri: '/postern/api/audit/watched?before=x' },
  { operation: 'GET /postern/api/notifications', status: 200 },
  { operation: 'POST /postern/api/notifications/test', status: 200 },
  { operation: 'POST /postern/api/invitations', status: 201, body: { role: 'viewer', name: 'nell' } },
  { operation: 'POST /postern/api/invitations', status: 422, body: {} },
  { operation: 'GET /postern/api/invitations', status: 200 },
  { operation: 'GET /postern/api/invitations/{id}', status: 404, uri: '/postern/api/invitations/none' },
  { operation: 'DELETE /postern/api/invitations/{id}', status: 404, uri: '/postern/api/invitations/none' },
  ...['open', 'passkey', 'accept'].map((step) => ({
    operation: `POST /postern/api/invitations/{id}/${step}`,
    status: 404,
    uri: `/postern/api/invitations/none/${step}`,
    body: {
      secret: 'none',
      ...(step !== 'open' && { username: 'nell' }),
      ...(step === 'accept' && { password: goodPassword }),
    },
  })),
  {
    operation: 'POST /api/users',
    status: 201,
    body: { username: 'olaf', password: goodPassword, role: 'viewer' },
  },
  {
    operation: 'POST /api/users',
    status: 409,
    body: { username: 'olaf', password: goodPassword, role: 'viewer' },
  },
  { operation: 'POST /api/users', status: 422, body: { username: 'olaf' } },
  { operation: 'GET /api/users', status: 200 },
  { operation: 'GET /api/users', status: 200, uri: '/api/users?search=OLA&role=viewer&limit=1&after=admin' },
  { operation: 'GET /api/users', status: 422, uri: '/api/users?limit=0' },
  // A text is compared with many others.
  ...['/api/users', '/postern/api/sessions', '/postern/api/tokens'].map((path) => ({
    operation: `GET ${path}`,
    status: 422,
    uri: `${path}?search=${'a+'.repeat(129)}`,
  })),
  { operation: 'GET /postern/api/users/count', status: 200 },
  { operation: 'GET /postern/api/users', status: 200 },
  {
    operation: 'GET /postern/api/users',
    status: 200,
    uri: '/postern/api/users?search=OLA&role=viewer&provider=none&blocked=false&limit=1&after=admin',
  },
  { operation: 'GET /postern/api/users', status: 422, uri: '/postern/api/users?blocked=perhaps' },
  ...[
    { status: 200, uri: '/postern/api/users/olaf/blocked', body: { blocked: true } },
    { status: 200, uri: '/postern/api/users/olaf/blocked', body: { blocked: false } },
    { status: 404, uri: '/postern/api/users/no.such.user/blocked', body: { blocked: true } },
    { status: 409, uri: '/postern/api/users/admin/blocked', body: { blocked: true } },
    { status: 422, uri: '/postern/api/users/olaf/blocked', body: { blocked: 1 } },
  ].map((asked) => Object.assign(asked, { operation: 'PUT /postern/api/users/{username}/blocked' })),
  {
    operation: 'PUT /api/users/{username}/password',
    status: 200,
    uri: '/api/users/olaf/password',
    body: { password: goodPassword },
  },
  {
    operation: 'PUT /api/users/{username}/password',
    status: 403,
    uri: '/api/users/admin/password',
    body: { password: goodPassword, old_password: 'wrong' },
  },
  {
    operation: 'PUT /api/users/{username}/password',
    status: 422,
    uri: '/api/users/admin/password',
    body: { password: goodPassword },
  },
  {
    operation: 'PUT /api/users/{username}/password',
    status: 404,
    uri: '/api/users/no.such.user/password',
    body: { password: goodPassword },
  },
  {
    operation: 'PUT /postern/api/roles/{name}',
    status: 200,
    uri: '/postern/api/roles/guests',
    body: { cameras: ['garage'], access: { until: '9999-12-31' } },
  },
  {
    operation: 'PUT /postern/api/roles/{name}',
    status: 200,
    uri: '/postern/api/roles/guests?preview',
    body: { cameras: ['driveway'], access: null },
  },
  {
    operation: 'PUT /postern/api/roles/{name}',
    status: 422,
    uri: '/postern/api/roles/guests',
    body: { cameras: ['garage'], access: { hours: '7-19' } },
  },
  {
    operation: 'PUT /postern/api/roles/{name}',
    status: 422,
    uri: '/postern/api/roles/admin',
    body: { cameras: ['garage'] },
  },
  // A role that was made for no one.
  {
    operation: 'PUT /postern/api/people/{username}/role',
    status: 404,
    uri: '/postern/api/people/admin/role',
    body: { name: 'neighbours' },
  },
  {
    operation: 'PUT /postern/api/people/{username}/role',
    status: 409,
    uri: '/postern/api/people/admin/role',
    body: { name: 'guests' },
  },
  { operation: 'GET /postern/api/people', status: 200 },
  { operation: 'GET /postern/api/people/{username}', status: 200, uri: '/postern/api/people/admin' },
  { operation: 'GET /postern/api/people/{username}', status: 404, uri: '/postern/api/people/nobody' },
  ...[
    { status: 404, uri: '/postern/api/people/nobody/access', body: access('person') },
    { status: 409, uri: '/postern/api/people/admin/access', body: access('person') },
    { status: 422, uri: '/postern/api/people/admin/access', body: access('role') },
    { status: 200, uri: '/postern/api/people/olaf/access?preview', body: access('person') },
    { status: 200, uri: '/postern/api/people/olaf/access', body: access('person') },
  ].map((asked) => Object.assign(asked, { operation: 'PUT /postern/api/people/{username}/access' })),
  { operation: 'GET /postern/api/roles', status: 200 },
  { operation: 'GET /postern/api/roles/{name}', status: 200, uri: '/postern/api/roles/guests' },
  { operation: 'GET /postern/api/roles/{name}', status: 404, uri: '/postern/api/roles/nobody' },
  ...[
    { status: 200, uri: '/postern/api/camera-groups/outside', body: { cameras: ['garage'] } },
    { status: 200, uri: '/postern/api/camera-groups/outside?preview', body: { cameras: ['garage'] } },
    { status: 422, uri: '/postern/api/camera-groups/outside', body: { cameras: [] } },
    { status: 422, uri: '/postern/api/camera-groups/out%20side', body: { cameras: ['garage'] } },
  ].map((asked) => Object.assign(asked, { operation: 'PUT /postern/api/camera-groups/{name}' })),
  { operation: 'GET /postern/api/camera-groups', status: 200 },
  { operation: 'GET /postern/api/camera-groups/offered', status: 200 },
  ...[
    { status: 204, uri: '/postern/api/camera-groups/outside' },
    { status: 404, uri: '/postern/api/camera-groups/outside' },
  ].map((asked) => Object.assign(asked, { operation: 'DELETE /postern/api/camera-groups/{name}' })),
  { operation: 'GET /postern/api/recorder/roles', status: 200 },
  { operation: 'POST /postern/api/recorder/roles', status: 200 },
  {
    operation: 'PUT /api/users/{username}/role',
    status: 200,
    uri: '/api/users/olaf/role',
    body: { role: 'guests' },
  },
  {
    operation: 'PUT /api/users/{username}/role',
    status: 409,
    uri: '/api/users/admin/role',
    body: { role: 'guests' },
  },
  { operation: 'DELETE /postern/api/roles/{name}', status: 200, uri: '/postern/api/roles/guests' },
  { operation: 'DELETE /postern/api/roles/{name}', status: 404, uri: '/postern/api/roles/guests' },
  {
    operation: 'POST /postern/api/explain',
    status: 200,
    body: { role: 'viewer', method: 'GET', uri: '/api/garage/latest.jpg' },
  },
  { operation: 'POST /postern/api/explain', status: 404, body: { decision: 'none' } },
  { operation: 'GET /postern/api/access', status: 200 },
  { operation: 'GET /postern/api/access', status: 200, uri: '/postern/api/access?user=admin&at=1800000000' },
  { operation: 'GET /postern/api/access', status: 404, uri: '/postern/api/access?user=no.such.user' },
  { operation: 'GET /postern/api/access', status: 422, uri: '/postern/api/access?role=no_such_role' },
  { operation: 'GET /postern/api/access', status: 422, uri: '/postern/api/access?at=tomorrow' },
  { operation: 'GET /postern/api/sessions', status: 200 },
  { operation: 'GET /postern/api/sessions', status: 200, uri: '/postern/api/sessions?search=ADM&limit=1' },
  { operation: 'GET /postern/api/sessions', status: 422, uri: '/postern/api/sessions?limit=0' },
  { operation: 'DELETE /postern/api/sessions/{id}', status: 404, uri: '/postern/api/sessions/none' },
  {
    operation: 'DELETE /postern/api/sessions',
    status: 204,
    uri: '/postern/api/sessions?user=olaf&keep=api_tokens,shares',
  },
  { operation: 'DELETE /postern/api/sessions', status: 422, uri: '/postern/api/sessions?keep=all' },
  { operation: 'DELETE /postern/api/sessions', status: 404, uri: '/postern/api/sessions?user=no.such.user' },
  { operation: 'GET /postern/api/streams', status: 200 },
  { operation: 'GET /postern/api/streams', status: 200, uri: '/postern/api/streams?own' },
  { operation: 'GET /postern/api/streams', status: 422, uri: '/postern/api/streams?own=1' },
  { operation: 'DELETE /postern/api/streams/{id}', status: 404, uri: '/postern/api/streams/none' },
  { operation: 'DELETE /postern/api/streams/{id}', status: 422, uri: '/postern/api/streams/none?for=ever' },
  { operation: 'GET /postern/api/stops', status: 200 },
  { operation: 'DELETE /postern/api/stops/{id}', status: 404, uri: '/postern/api/stops/none' },
  {
    operation: 'POST /postern/api/tokens',
    status: 201,
    body: { name: 'a script', role: 'viewer', cameras: ['garage'] },
  },
  { operation: 'POST /postern/api/tokens', status: 409, body: { name: 'a script', role: 'viewer' } },
  { operation: 'GET /postern/api/tokens', status: 200 },
  {
    operation: 'GET /postern/api/tokens',
    status: 200,
    uri: '/postern/api/tokens?search=SCRIPT&state=good&limit=1',
  },
  { operation: 'GET /postern/api/tokens', status: 422, uri: '/postern/api/tokens?state=bad' },
  { operation: 'DELETE /postern/api/tokens/{id}', status: 404, uri: '/postern/api/tokens/none' },
  {
    operation: 'POST /postern/api/shares',
    status: 201,
    body: { kind: 'event', id: '1793000935.726501-j8ht9l', expires_in: 3600, label: 'A parcel' },
  },
  {
    operation: 'POST /postern/api/shares',
    status: 404,
    body: { kind: 'event', id: 'none', expires_in: 3600 },
  },
  {
    operation: 'POST /postern/api/shares',
    status: 422,
    body: { kind: 'event', camera: 'garage', expires_in: 3600 },
  },
  { operation: 'POST /postern/api/shares', status: 422, body: { kind: 'camera', expires_in: 3600 } },
  { operation: 'GET /postern/api/shares', status: 200 },
  { operation: 'GET /postern/api/shares', status: 200, uri: '/postern/api/shares?own' },
  { operation: 'DELETE /postern/api/shares/{id}', status: 404, uri: '/postern/api/shares/none' },
  {
    operation: 'POST /postern/api/shares/{id}/open',
    status: 404,
    uri: '/postern/api/shares/none/open',
    body: { secret: 'x' },
  },
  { operation: 'GET /postern/api/audit', status: 200 },
  {
    operation: 'GET /postern/api/audit',
    status: 200,
    uri: '/postern/api/audit?event=login_failed,user_added&limit=1',
  },
  { operation: 'GET /postern/api/audit', status: 422, uri: '/postern/api/audit?event=nope' },
  { operation: 'GET /postern/api/configuration', status: 200 },
  { operation: 'GET /api/events', status: 200, uri: '/api/events?limit=2' },
  { operation: 'GET /api/events', status: 422, uri: '/api/events?limit=0' },
  { operation: 'GET /api/event_ids', status: 200, uri: '/api/event_ids?ids=1793171721.544347-5lmtzv' },
  {
    operation: 'DELETE /postern/api/users/{username}/factors',
    status: 204,
    uri: '/postern/api/users/olaf/factors',
  },
  {
    operation: 'DELETE /postern/api/users/{username}/factors',
    status: 404,
    uri: '/postern/api/users/no.such.user/factors',
  },
  { operation: 'DELETE /api/users/{username}', status: 200, uri: '/api/users/olaf' },
  { operation: 'DELETE /api/users/{username}', status: 404, uri: '/api/users/olaf' },
  { operation: 'GET /postern/api/attention', status: 200 },
  { operation: 'GET /postern/api/doctor', status: 200 },
  { operation: 'GET /postern/api/first-run', status: 200 },
  { operation: 'POST /postern/api/first-run', status: 204, body: { fact: 'shown' } },
  { operation: 'POST /postern/api/first-run', status: 422, body: { fact: 'done' } },
  { operation: 'GET /postern/api/recorder/address', status: 200 },
  {
    operation: 'POST /postern/api/recorder/address',
    status: 200,
    body: { address: 'unix:/there/is/none.sock' },
  },
  {
    operation: 'PUT /postern/api/recorder/address',
    status: 422,
    body: { address: 'unix:/there/is/none.sock' },
  },
  { operation: 'GET /postern/api/appearance', status: 200 },
  {
    operation: 'PUT /postern/api/appearance',
    status: 204,
    body: { house: 'Willow Lane', accent: '#0b5cad' },
  },
  { operation: 'PUT /postern/api/appearance', status: 422, body: { house: 'a\nb', accent: 'red' } },
  { operation: 'GET /postern/api/settings/{section}', uri: '/postern/api/settings/timezone', status: 200 },
  {
    operation: 'PUT /postern/api/settings/{section}',
    uri: '/postern/api/settings/timezone',
    status: 204,
    body: { value: 'Europe/Berlin' },
  },
  {
    operation: 'POST /postern/api/settings/notifications/test',
    status: 200,
    body: { target: { type: 'ntfy', url: 'http://127.0.0.1:9/topic' } },
  },
  { operation: 'GET /postern/api/version', status: 200 },
  { operation: 'GET /postern/api/openapi.json', status: 200 },
  { operation: 'POST /api/logout', status: 303 },
  { operation: 'GET /api/logout', status: 303 },
];

const error = v.strictObject({ message: v.string(), code: v.string() });
const invalid = v.strictObject({
  message: v.optional(v.string()),
  detail: v.array(
    v.strictObject({ loc: v.array(v.union([v.string(), v.number()])), msg: v.string(), type: v.string() }),
  ),
});

describe('every operation answers as it is described', () => {
  let gateway: RunningGateway;
  let admin: Visitor;
  beforeAll(async () => {
    gateway = await startGateway({
      config: { public_url: 'https://cameras.example' },
    });
    admin = await adminOf(gateway);
  });
  afterAll(() => gateway.close());

  test.each(operationRequests('').map(({ operation, status }, i) => [operation, status, i] as const))(
    '%s: %d',
    async (operation, status, i) => {
      const [method = '', path = ''] = operation.split(' ');
      const { uri, body } = operationRequests(printedPassword(gateway))[i] ?? {};
      const answer = await admin.send(method, uri ?? path, body);
      expect(answer.status, answer.body).toBe(status);
      const described = operations.find((one) => one.path === path && one.method === method.toLowerCase());
      const schema = described?.answers[status]?.body ?? (status === 422 ? invalid : error);
      if (answer.body === '') {
        expect(described?.answers[status]?.body).toBeUndefined();
        return;
      }
      expect(answer.headers.get('content-type')).toEqual([expect.stringMatching(/^application\/json/)]);
      expect(v.safeParse(schema, JSON.parse(answer.body)).issues).toBeUndefined();
    },
  );

  test('none is left out', () => {
    const asked = new Set(operationRequests('').map(({ operation }) => operation));
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(described.filter((operation) => !asked.has(operation))).toEqual([]);
  });
});
