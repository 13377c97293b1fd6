import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../support/basic.ts';
import { adminOf, goodPassword, userOf, type Visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { configurationWith } from '../support/recorder-configuration.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/*
 * Setting up the integration of such a recorder for home automation, version 5.15: it asks for three documents, and what it reads
 * of two of them by plain subscription has to be there, or the setup ends with a KeyError.
 */

const cameras = ['front', 'garage'];
const { mqtt, cameras: configured, ...configuration } = configurationWith('hunter2', cameras);

let upstream: RecordingUpstream;
let gateway: RunningGateway;
/** `Authorization` of each kind of account. */
const authorizations = new Map<string, string>();

beforeAll(async () => {
  upstream = await startRecordingUpstream({
    cameras,
    roles: { neighbour: ['front'] },
    configuration: {
      ...configuration,
      mqtt: { ...mqtt, client_id: 'recorder-1' },
      cameras: Object.fromEntries(
        Object.entries(configured).map(([name, camera]) => [
          name,
          {
            ...camera,
            audio: { enabled: true, enabled_in_config: true, listen: ['bark'] },
            motion: { enabled: true, contour_area: 10, threshold: 30 },
            record: { enabled: true },
          },
        ]),
      ),
    },
  });
  gateway = await startGateway({
    config: {
      cameras,
      upstream: `http://${upstream.address}`,
      auth: { roles: { neighbour: ['front'] } },
    },
  });
  const address = gateway.addresses.authenticated ?? '';
  const admin = await adminOf(gateway);
  const people: ReadonlyArray<readonly [what: string, visitor: Visitor]> = [
    ['viewer', await userOf(admin, address, 'vera', 'viewer')],
    ['role', await userOf(admin, address, 'nell', 'neighbour')],
  ];
  const tokenOf = async (visitor: Visitor, access: object) => {
    const { body } = await visitor.send('POST', '/postern/api/tokens', {
      name: JSON.stringify(access),
      ...access,
    });
    return basic('token', (JSON.parse(body) as { token: string }).token);
  };
  for (const [what, visitor] of people) {
    const role = what === 'role' ? 'neighbour' : what;
    authorizations.set(`token of a ${what}`, await tokenOf(visitor, { role }));
  }
  for (const [what, visitor] of people) {
    if (what === 'viewer')
      authorizations.set(
        'token of one camera',
        await tokenOf(visitor, { role: 'viewer', cameras: ['front'] }),
      );
    authorizations.set(what, await bearerOf(what === 'role' ? 'nell' : 'vera'));
  }
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** It signs in, and sends the token of the cookie as bearer. */
async function bearerOf(user: string): Promise<string> {
  const answer = await get('/api/login', undefined, { user, password: goodPassword });
  return `Bearer ${/^session_token=([^;]+)/.exec(answer.headers.get('set-cookie')?.[0] ?? '')?.[1]}`;
}

/** It sends a body of JSON with every request. */
function get(uri: string, authorization: string | undefined, body?: object) {
  const type = ['Content-Type', 'application/json'] as const;
  const headers = authorization === undefined ? [type] : [type, ['Authorization', authorization] as const];
  const method = body === undefined ? 'GET' : 'POST';
  const request = { method, uri, headers, body: JSON.stringify(body ?? {}) };
  return sendRaw(gateway.addresses.authenticated ?? '', request, true);
}

async function read(uri: string, authorization: string | undefined): Promise<unknown> {
  const { status, body } = await get(uri, authorization);
  expect(status, uri).toBe(200);
  return JSON.parse(body);
}

describe.each([
  ['viewer', cameras],
  ['token of a viewer', cameras],
  ['role', ['front']],
  ['token of a role', ['front']],
  ['token of one camera', ['front']],
])('by a %s', (what, granted) => {
  const authorization = () => authorizations.get(what);

  test('the setup finds every field that it needs, for its cameras alone', async () => {
    const stats = (await read('/api/stats', authorization())) as Record<string, object>;
    expect((await get('/api/version', authorization())).status).toBe(200);
    const config = (await read('/api/config', authorization())) as { cameras: Record<string, object> };
    expect(config).toMatchObject({
      version: '0.17-0',
      mqtt: { topic_prefix: 'recorder', client_id: 'recorder-1' },
      model: { all_attributes: ['face'] },
    });
    expect(Object.keys(config.cameras)).toEqual(granted);
    for (const [name, camera] of Object.entries(config.cameras)) {
      expect(camera, name).toMatchObject({
        objects: { track: ['person'] },
        zones: { secret_garden: { objects: ['person'] } },
        audio: { enabled_in_config: true, listen: ['bark'] },
        motion: { enabled: true, contour_area: 10, threshold: 30 },
        record: { enabled: true },
        live: { streams: { Main: name } },
      });
    }
    expect(Object.keys(stats['cameras'] ?? {})).toEqual(granted);
    expect(stats).toMatchObject({
      service: { version: '0.17.2-test' },
      detectors: { cpu1: { inference_speed: 10 } },
    });
  });

  test('no document has a secret, or another camera', async () => {
    const texts = await Promise.all(
      ['/api/stats', '/api/config'].map(async (uri) => (await get(uri, authorization())).body),
    );
    for (const text of texts) {
      expect(text).not.toContain('hunter2');
      if (granted.length < cameras.length) expect(text).not.toContain('garage');
    }
  });
});
