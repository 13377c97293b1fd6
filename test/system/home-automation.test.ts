import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { selfSignedFiles } from '../../src/config/own-files.ts';
import { Agent, WebSocket } from 'undici';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { basic } from '../support/basic.ts';
import { goodPassword } from '../support/log-in.ts';
import { freePort } from '../support/ports.ts';
import { sendRaw, type RawAnswer, type RawRequest } from '../support/raw-http.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { startSite } from '../support/start-site.ts';
import { startProcess, type RunningProcess } from '../support/start-process.ts';
import { guideCameras, startRecorder, type Recorder } from '../support/start-recorder.ts';

/*
 * The integration of such a recorder for home automation: what it sends, in its order and form, to the real program. It has
 * fields for an address, a user and a password, sends its token as bearer, and a JSON body with every GET.
 */

const guide = parse(readFileSync(join(projectRoot, 'docs/recorder/config.yml'), 'utf8')) as {
  readonly auth: { readonly roles: Readonly<Record<string, readonly string[]>> };
  readonly networking: object;
  readonly events: object;
};
const ofFrontDoor = '1793171721.544347-5lmtzv';

type Ask = (
  method: string,
  uri: string,
  headers: NonNullable<RawRequest['headers']>,
  body?: object,
) => Promise<RawAnswer>;

const askAt =
  (address: string, tls: boolean): Ask =>
  (method, uri, headers, body = {}) =>
    sendRaw(
      address,
      {
        method,
        uri,
        headers: [['Content-Type', 'application/json'], ...headers],
        body: JSON.stringify(body),
      },
      tls,
    );

interface Claims {
  readonly exp: number;
}

/** It trusts `exp`: nothing else makes it sign in again, neither a 401 nor a 403. */
function createIntegration(ask: Ask, user: string, password: string, now: () => number) {
  let token: { readonly text: string; readonly expires: number } | undefined;
  const logIn = async () => {
    const answer = await ask('POST', '/api/login', [], { user, password });
    if (answer.status >= 400) throw new Error(`login: ${answer.status}`);
    // It reads one header line, and in it the cookie of this name.
    const [line = ''] = answer.headers.get('set-cookie') ?? [];
    const text = /^frigate_token=([^;]+)/.exec(line)?.[1];
    if (text === undefined) throw new Error(`no frigate_token in ${line}`);
    const [header, claims] = text
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown);
    expect(header).toMatchObject({ alg: 'HS256' });
    token = { text, expires: (claims as Claims).exp * 1_000 };
  };
  return {
    get: async (uri: string) => {
      if (token === undefined || now() >= token.expires) await logIn();
      return (await ask('GET', uri, [['Authorization', `Bearer ${token?.text}`]])).status;
    },
    opens: (uri: string) =>
      opens(`wss://${gate.addresses.authenticated}${uri}`, { Authorization: `Bearer ${token?.text}` }),
    expires: () => token?.expires ?? 0,
  };
}

/** What it asks when it is set up, when it polls, and when a user looks at cameras and recordings. */
const asked: readonly string[] = [
  '/api/stats',
  '/api/version',
  '/api/config',
  '/api/events?cameras=driveway,front_door&limit=25&include_thumbnails=0',
  '/api/events/summary?has_clip=1&timezone=UTC',
  `/api/events/${ofFrontDoor}`,
  '/api/front_door/ptz/info',
  '/api/front_door/recordings/summary?timezone=UTC',
  '/api/front_door/recordings?after=1793171700&before=1793171760',
  '/api/front_door/latest.jpg?h=277',
  `/api/events/${ofFrontDoor}/thumbnail.jpg`,
  `/api/events/${ofFrontDoor}/snapshot.jpg`,
  `/api/events/${ofFrontDoor}/clip.mp4`,
  `/vod/event/${ofFrontDoor}/index.m3u8`,
  '/vod/front_door/start/1793171700/end/1793171760/index.m3u8',
  `/clips/front_door-${ofFrontDoor}.jpg`,
  '/api/go2rtc/streams/front_door',
  '/api/review?cameras=front_door&limit=5',
];

/** Whether a live picture opens, as a WebSocket. */
async function opens(url: string, authorization: Readonly<Record<string, string>>): Promise<boolean> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const socket = new WebSocket(url, { dispatcher, headers: authorization });
  const isOpen = await Promise.race([
    once(socket, 'open').then(() => true),
    once(socket, 'error').then(() => false),
  ]);
  if (isOpen) {
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  }
  await dispatcher.destroy();
  return isOpen;
}

const livePicture = '/live/mse/api/ws?src=front_door';

let recorder: Recorder;
let gate: RunningProcess;
let ask: Ask;
let admin: NonNullable<RawRequest['headers']>;

beforeEach(async () => {
  recorder = await startRecorder(guideCameras, guide.auth.roles);
  onTestFinished(() => recorder.close());
  const { networking: _networking, events: _events, ...config } = guide;
  gate = await startProcess({ ...config, upstream: `http://${recorder.address}` });
  ask = askAt(gate.addresses.authenticated, true);
  const password = /password: (\S+)/.exec(gate.output())?.[1] ?? '';
  const answer = await ask('POST', '/api/login', [], { user: 'admin', password });
  admin = [['Cookie', (answer.headers.get('set-cookie')?.[0] ?? '').split(';')[0] ?? '']];
  await ask('POST', '/api/users', admin, { username: 'home', password: goodPassword, role: 'viewer' });
});

describe('an integration that logs in', () => {
  test('gets all that it asks for, as its user', async () => {
    const integration = createIntegration(ask, 'home', goodPassword, Date.now);
    for (const uri of asked) {
      recorder.takeReached();
      expect(await integration.get(uri), uri).toBe(200);
      const [reached] = recorder.takeReached();
      expect(reached?.uri).toBe(uri);
      expect(headerValues(reached?.rawHeaders ?? [], 'remote-user')).toEqual(['home']);
      expect(headerValues(reached?.rawHeaders ?? [], 'remote-role')).toEqual(['viewer']);
    }
    expect(await integration.opens(livePicture)).toBe(true);
  });

  test('stays logged out after its sessions were ended, until its token would have expired', async () => {
    let now = Date.now();
    const integration = createIntegration(ask, 'home', goodPassword, () => now);
    expect(await integration.get('/api/stats')).toBe(200);
    const day = 86_400_000;
    expect(integration.expires()).toBeGreaterThan(now + day - 600_000);

    const ended = await ask('DELETE', '/postern/api/sessions?user=home', admin);
    expect(ended.status).toBe(204);
    now = integration.expires() - 1;
    expect(await integration.get('/api/stats')).toBe(401);
    now += 1;
    expect(await integration.get('/api/stats')).toBe(200);
  });

  test('logs in at once when it is reloaded', async () => {
    const before = createIntegration(ask, 'home', goodPassword, Date.now);
    await before.get('/api/stats');
    const password = 'another horse battery';
    await ask('PUT', '/api/users/home/password', admin, { password });
    expect(await before.get('/api/stats')).toBe(401);
    expect(await createIntegration(ask, 'home', password, Date.now).get('/api/stats')).toBe(200);
  });
});

/** An API token of the integration's user. */
async function newToken(): Promise<{ readonly id: string; readonly token: string }> {
  const login = await ask('POST', '/api/login', [], { user: 'home', password: goodPassword });
  const cookie = (login.headers.get('set-cookie')?.[0] ?? '').split(';')[0] ?? '';
  const answer = await ask('POST', '/postern/api/tokens', [['Cookie', cookie]], {
    name: 'Home automation',
    role: 'viewer',
  });
  expect(answer.status).toBe(201);
  return JSON.parse(answer.body) as { readonly id: string; readonly token: string };
}

describe('an API token in the address', () => {
  // aiohttp makes Basic of `https://user:password@…`, for WebSockets too.
  test.each(['token', 'home'])('gets all that the integration asks for, as %s', async (user) => {
    const { id, token } = await newToken();
    const authorization = basic(user, token);
    for (const uri of asked) {
      recorder.takeReached();
      expect((await ask('GET', uri, [['Authorization', authorization]])).status, uri).toBe(200);
      const [reached] = recorder.takeReached();
      expect(reached?.uri).toBe(uri);
      expect(headerValues(reached?.rawHeaders ?? [], 'remote-user')).toEqual(['home']);
      expect(headerValues(reached?.rawHeaders ?? [], 'authorization')).toEqual([]);
    }
    const live = `wss://${gate.addresses.authenticated}${livePicture}`;
    expect(await opens(live, { Authorization: authorization })).toBe(true);
    await ask('DELETE', `/postern/api/tokens/${id}`, admin);
    expect(await opens(live, { Authorization: authorization })).toBe(false);
    expect((await ask('GET', '/api/stats', [['Authorization', authorization]])).status).toBe(401);
  });

  test("is refused with another user's name, and a password is no token", async () => {
    const { token } = await newToken();
    for (const authorization of [basic('admin', token), basic('home', goodPassword)]) {
      expect((await ask('GET', '/api/stats', [['Authorization', authorization]])).status).toBe(401);
    }
  });
});

describe('an API token that docs/home-automation/nginx.conf adds', () => {
  /** nginx with that file, beside the integration. */
  async function startBeside(token: string): Promise<{ readonly ask: Ask; readonly address: string }> {
    const address = `127.0.0.1:${await freePort()}`;
    const site = await startSite({
      file: 'docs/home-automation/nginx.conf',
      addresses: [address],
      replaced: [
        ['127.0.0.1:5050', address],
        ['https://cameras.example', `https://localhost:${gate.addresses.authenticated.split(':').at(-1)}`],
        ['/etc/ssl/certs/ca-certificates.crt', selfSignedFiles(gate.directory).cert],
      ],
      files: { 'postern-token.conf': `proxy_set_header Authorization "Bearer ${token}";\n` },
    });
    onTestFinished(() => site.close());
    return { ask: askAt(address, false), address };
  }

  test('gets all that the integration asks for, and no end of a session ends it', async () => {
    const { id, token } = await newToken();
    const beside = await startBeside(token);
    await ask('DELETE', '/postern/api/sessions?user=home&keep=api_tokens', admin);
    for (const uri of asked) {
      recorder.takeReached();
      // Without a user and a password it sends no header of its own.
      expect((await beside.ask('GET', uri, [])).status, uri).toBe(200);
      expect(recorder.takeReached().map((reached) => reached.uri)).toEqual([uri]);
    }
    expect(await opens(`ws://${beside.address}${livePicture}`, {})).toBe(true);
    await ask('DELETE', `/postern/api/tokens/${id}`, admin);
    expect(await opens(`ws://${beside.address}${livePicture}`, {})).toBe(false);
    expect((await beside.ask('GET', '/api/stats', [])).status).toBe(401);
  });

  test('beats what a client brings along', async () => {
    const beside = await startBeside((await newToken()).token);
    recorder.takeReached();
    const lies = [...admin, ['Authorization', 'Bearer nothing'], ['Remote-Role', 'admin']] as const;
    expect((await beside.ask('GET', '/api/version', lies)).status).toBe(200);
    const [reached] = recorder.takeReached();
    expect(headerValues(reached?.rawHeaders ?? [], 'remote-role')).toEqual(['viewer']);
  });
});
