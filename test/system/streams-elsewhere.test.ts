import { onTestFinished, expect, test } from 'vitest';
import { startLiveRecorder } from '../support/live-recorder.ts';
import { openStream, streamsOf } from '../support/open-stream.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { scrape } from '../support/scrape.ts';
import { signOnBrowser } from '../support/sign-on-browser.ts';
import { startGateway } from '../support/start-gateway.ts';
import { startProcess } from '../support/start-process.ts';
import { startProvider } from '../support/start-provider.ts';

const cameras = ['driveway'];

test('a user whom the provider logs out loses their streams, and another one keeps them', async () => {
  const recorder = await startLiveRecorder({ cameras, roles: {} });
  onTestFinished(recorder.close);
  const people = {
    '1': { preferred_username: 'anna', groups: ['viewer'] },
    '2': { preferred_username: 'otto', groups: ['viewer'] },
  };
  const provider = await startProvider({ publicUrl: 'https://cameras.example', people });
  onTestFinished(provider.close);
  const gateway = await startGateway({
    config: {
      public_url: 'https://cameras.example',
      tls: { enabled: false },
      auth: { oidc: { ...provider.settings, label: 'Acme' } },
      cameras,
      upstream: `http://${recorder.address}`,
    },
  });
  onTestFinished(gateway.close);
  const address = gateway.addresses.authenticated ?? '';
  provider.reachGateAt(address);
  const watch = async (sub: string) => {
    const browser = signOnBrowser(address, provider);
    await browser.logIn(sub);
    const cookie = [['Cookie', `session_token=${browser.token()}`]] as const;
    const { picture, video } = streamsOf('driveway');
    const at = { address, tls: false };
    const streams = [await openStream(at, picture, cookie), await openStream(at, video, cookie)];
    onTestFinished(() => streams.forEach(({ close }) => close()));
    return { browser, streams };
  };
  const [anna, otto] = [await watch('1'), await watch('2')];
  await provider.signOut(anna.browser.atProvider);
  await Promise.all(anna.streams.map(({ ended }) => ended));
  expect(otto.streams.map(({ status, isOpen }) => [status, isOpen()])).toEqual([
    [200, true],
    [101, true],
  ]);
});

test('each of several workers ends streams revoked at another, and lists and cuts those open there', async () => {
  const recorder = await startLiveRecorder({ cameras, roles: {} });
  onTestFinished(recorder.close);
  const { addresses } = await startProcess({
    networking: { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } },
    tls: { enabled: false },
    server: { workers: 2 },
    cameras,
    upstream: `http://${recorder.address}`,
  });
  const { authenticated, internal } = addresses;
  const ask = (
    address: string,
    method: string,
    uri: string,
    body?: object,
    more: RawRequest['headers'] = [],
  ) =>
    sendRaw(address, {
      method,
      uri,
      headers: [...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]), ...more],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const vera = { username: 'vera', password: 'correct-horse-battery', role: 'viewer' };
  expect((await ask(internal, 'POST', '/api/users', vera)).status).toBe(201);
  const { picture } = streamsOf('driveway');
  /** Six streams of a session; connections go to the workers in turn. */
  const watch = async () => {
    const login = await ask(authenticated, 'POST', '/api/login', {
      user: vera.username,
      password: vera.password,
    });
    expect(login.status).toBe(200);
    const cookie = [['Cookie', (login.headers.get('set-cookie')?.[0] ?? '').split(';')[0] ?? '']] as const;
    const streams = await Promise.all(
      Array.from({ length: 6 }, () => openStream({ address: authenticated, tls: false }, picture, cookie)),
    );
    onTestFinished(() => streams.forEach(({ close }) => close()));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    return { cookie, streams };
  };
  const listed = async () =>
    (
      JSON.parse((await ask(internal, 'GET', '/postern/api/streams')).body) as ReadonlyArray<{ id: string }>
    ).map(({ id }) => id);
  const stopped = await watch();
  const ids = await listed();
  expect(ids).toHaveLength(6);
  // An id begins with the process that it belongs to.
  expect(new Set(ids.map((id) => id.slice(0, id.lastIndexOf('-')))).size).toBe(2);
  expect((await scrape(internal)).get('postern_open_streams{kind="answer"}')).toBe(6);

  // What a session watches of a camera ends at all workers.
  const other = await watch();
  expect((await ask(internal, 'DELETE', `/postern/api/streams/${ids[0]}`)).status).toBe(200);
  await Promise.all(stopped.streams.map(({ ended }) => ended));
  expect(other.streams.filter(({ isOpen }) => isOpen())).toHaveLength(6);

  await ask(authenticated, 'POST', '/api/logout', undefined, other.cookie);
  await Promise.all(other.streams.map(({ ended }) => ended));
  const samples = await scrape(internal);
  expect(samples.get('postern_streams_cut_total{reason="stopped"}')).toBe(6);
  expect(samples.get('postern_streams_cut_total{reason="token_revoked"}')).toBe(6);
});
