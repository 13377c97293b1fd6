import { onTestFinished, expect, test } from 'vitest';
import { startLiveRecorder } from '../support/live-recorder.ts';
import { openStream, streamsOf } from '../support/open-stream.ts';
import { signOnBrowser } from '../support/sign-on-browser.ts';
import { startGateway } from '../support/start-gateway.ts';
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
