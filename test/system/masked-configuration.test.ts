import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { configurationWith } from '../support/recorder-configuration.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

const secret = 'hunter2';
const roles = { guest: ['front'] };

let recorder: Recorder;
let gateway: RunningGateway;
beforeAll(async () => {
  recorder = await startRecorder(['front', 'garage'], roles);
  recorder.define({ configuration: configurationWith(secret) });
  gateway = await startGateway({
    config: {
      upstream: `http://${recorder.address}`,
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
        relay: { authenticated: '127.0.0.1:0' },
      },
      auth: { enabled: false, roles },
      proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const ways = { 'the embedded front': 'authenticated', 'the relay': 'relayAuthenticated' } as const;
type Way = keyof typeof ways;

function ask(way: Way, role: string, more: Partial<RawRequest> = {}) {
  const { uri = '/api/config', headers = [], ...request } = more;
  const identity = [
    ['Remote-User', 'olaf'],
    ['Remote-Groups', role],
  ] as const;
  const listener = ways[way];
  return sendRaw(
    gateway.addresses[listener] ?? '',
    { uri, headers: [...identity, ...headers], ...request },
    listener === 'authenticated',
  );
}

describe.each(Object.keys(ways) as Way[])('through %s, a secret of the recorder’s configuration', (way) => {
  test.each(['viewer', 'guest'])('reaches no %s', async (role) => {
    for (const uri of ['/api/config', '/api/config?x=1', '//api/config', '/%61pi/config']) {
      const { status, body, headers } = await ask(way, role, { uri });
      expect([uri, status]).toEqual([uri, 200]);
      expect(body).not.toContain(secret);
      expect(headers.get('content-length')).toEqual([String(Buffer.byteLength(body))]);
      const { cameras } = JSON.parse(body) as { readonly cameras: object };
      expect(Object.keys(cameras)).toEqual(role === 'guest' ? ['front'] : ['front', 'garage']);
    }
  });

  test('reaches an admin, as the recorder answers', async () => {
    expect(JSON.parse((await ask(way, 'admin')).body)).toEqual(configurationWith(secret));
  });

  test('is in no part, in no other coding and behind no condition', async () => {
    recorder.takeReached();
    const { status, body } = await ask(way, 'guest', {
      headers: [
        ['Range', 'bytes=0-99'],
        ['If-None-Match', '*'],
        ['Accept-Encoding', 'gzip'],
      ],
    });
    expect([status, Object.keys((JSON.parse(body) as { cameras: object }).cameras)]).toEqual([
      200,
      ['front'],
    ]);
    const names = recorder
      .takeReached()
      .flatMap(({ rawHeaders }) => rawHeaders.map((name) => name.toLowerCase()));
    for (const name of ['range', 'if-none-match', 'accept-encoding']) expect(names).not.toContain(name);
  });

  test('is not in what is no configuration', async () => {
    for (const configuration of ['text', [], null]) {
      recorder.define({ answer: configuration });
      expect((await ask(way, 'viewer')).status).toBe(502);
    }
    recorder.define({ answer: undefined });
    expect((await ask(way, 'viewer')).status).toBe(200);
  });

  test('is not in the answer to HEAD, whose length is what the same client would get', async () => {
    const { status, body, headers } = await ask(way, 'guest', { method: 'HEAD' });
    expect([status, body]).toEqual([200, '']);
    const whole = await ask(way, 'guest');
    expect(headers.get('content-length')).toEqual([String(Buffer.byteLength(whole.body))]);
  });
});

test('explain speaks of the front that masks it', async () => {
  const { body } = await sendRaw(gateway.addresses.internal ?? '', {
    method: 'POST',
    uri: '/postern/api/explain',
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ method: 'GET', uri: '/api/config', role: 'viewer' }),
  });
  expect(JSON.parse(body)).toMatchObject({ verdict: 'allow' });
});
