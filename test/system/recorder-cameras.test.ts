import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { sendRaw } from '../support/raw-http.ts';
import type { KnownRoles } from '../support/recorder-profile.ts';
import { scrape } from '../support/scrape.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

// Which cameras a role has is the operator's word; which streams show them is the recorder's.
const roles = { guest: ['front', 'porch'] };
const config = {
  auth: { enabled: false, roles },
  proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
};

const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const step of closing.splice(0).toReversed()) await step();
});

async function recorderWith(streams: Required<KnownRoles>['streams'], at?: string): Promise<Recorder> {
  const recorder = await startRecorder(Object.keys(streams), roles, Number(at?.split(':')[1] ?? 0));
  recorder.define({ streams });
  closing.push(() => recorder.close().catch(() => undefined));
  return recorder;
}

async function gatewayBefore(recorder: Recorder): Promise<RunningGateway> {
  const gateway = await startGateway({ config: { ...config, upstream: `http://${recorder.address}` } });
  closing.push(gateway.close);
  return gateway;
}

async function ask({ addresses }: RunningGateway, uri: string, role = 'guest'): Promise<number> {
  const headers = [
    ['Remote-User', 'gus'],
    ['Remote-Groups', role],
  ] as const;
  return (await sendRaw(addresses.authenticated ?? '', { uri, headers }, true)).status;
}

async function read({ addresses }: RunningGateway, path: string): Promise<unknown> {
  return JSON.parse((await sendRaw(addresses.internal ?? '', { uri: `/postern/api/${path}` })).body);
}

const eventually = <T>(value: () => Promise<T>) => expect.poll(value);

const front = { Main: 'front', Sub: 'front_sub' };

test('a camera that is added in the recorder is known without a restart, and so are its streams', async () => {
  const former = await recorderWith({ front });
  const gateway = await gatewayBefore(former);
  await eventually(() => read(gateway, 'cameras')).toEqual(['front']);
  const statuses = () =>
    Promise.all(
      ['front_sub', 'porch_sub', 'both', 'birdseye'].map((stream) =>
        ask(gateway, `/live/mse/stream.mp4?src=${stream}`),
      ),
    );
  expect(await statuses()).toEqual([200, 403, 403, 403]);

  // A recorder takes a new camera by a restart. A request meanwhile shows the gate that it is away.
  await former.close();
  expect(await ask(gateway, '/api/version', 'viewer')).toBe(502);
  await recorderWith(
    { front, porch: { Main: 'porch', Sub: 'porch_sub', Wide: 'both' }, garage: { Main: 'both' } },
    former.address,
  );
  await eventually(() => read(gateway, 'cameras')).toEqual(['front', 'porch', 'garage']);
  expect(await statuses()).toEqual([200, 200, 403, 403]);
  expect(await ask(gateway, '/live/mse/stream.mp4?src=both', 'viewer')).toBe(200);
});

test('another server in place of the recorder changes nothing, and the gate logs it', async () => {
  const recorder = await recorderWith({ front });
  const gateway = await gatewayBefore(recorder);
  await eventually(() => read(gateway, 'cameras')).toEqual(['front']);
  await recorder.close();
  const other = createServer((_, response) => void response.end('{"cameras":["garage"]}'));
  other.listen(Number(recorder.address.split(':')[1]), '127.0.0.1');
  await once(other, 'listening');
  closing.push(async () => {
    other.closeAllConnections();
    other.close();
  });

  await gateway.reloading.reload('a file changed');
  await eventually(() => read(gateway, 'configuration')).toMatchObject({
    recorder: {
      fault: 'no_configuration',
      heard_at: expect.any(Number),
      cameras: [{ name: 'front', streams: ['front', 'front_sub'] }],
      unknown_cameras: ['porch'],
    },
  });
  expect(await read(gateway, 'cameras')).toEqual(['front']);
  expect(await ask(gateway, '/live/mse/stream.mp4?src=front_sub')).toBe(200);
  const samples = await scrape(gateway.addresses.internal);
  expect(samples.get('postern_recorder_configuration_successful')).toBe(0);
  expect(samples.get('postern_recorder_configuration_timestamp_seconds')).toBeGreaterThan(0);
  const warnings = gateway.log.filter(({ reason }) => reason === 'no_configuration');
  expect(warnings).toMatchObject([{ msg: expect.stringContaining('the previous ones stay') }]);
});
