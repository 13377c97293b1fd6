import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Capability } from '../../src/policy/capability.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

const cameras = ['driveway', 'garage'];
const { picture, video } = streamsOf('driveway');
const clip = '/api/driveway/start/1793171000/end/1793172000/clip.mp4';
const everything: readonly Capability[] = ['live', 'history', 'export', 'ptz'];
const roles = { family: cameras };

type Front = 'embedded front' | 'nginx with the relay';

/** What ends once a word is taken away, and what stays. */
const takings: ReadonlyArray<
  readonly [front: Front, taken: Capability, ends: readonly string[], goesOn: readonly string[]]
> = [
  ['embedded front', 'live', [picture, video], ['/ws', clip]],
  ['embedded front', 'history', [clip], ['/ws', picture, video]],
  // It passes clips on itself, and has asked once.
  ['nginx with the relay', 'live', [picture, video], ['/ws', clip]],
];

let recorder: LiveRecorder;
let gateway: RunningGateway;
let nginx: RunningNginx;
let admin: Visitor;
let user: Visitor;
const streams: OpenStream[] = [];

beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras, roles });
  gateway = await startGateway({
    config: { cameras, auth: { roles }, upstream: `http://${recorder.address}` },
  });
  nginx = await startNginxFor(gateway, { recorder: recorder.address });
  admin = await adminOf(gateway);
  user = await userOf(admin, gateway.addresses.authenticated ?? '', 'olaf', 'family');
});
beforeEach(() => put(everything));
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(async () => {
  await nginx.close();
  await gateway.close();
  await recorder.close();
});

async function put(may: readonly Capability[]): Promise<void> {
  const answer = await admin.send('PUT', '/postern/api/roles/family', { cameras, access: { may } });
  expect(answer.status).toBe(200);
}

async function reload(may: readonly Capability[]): Promise<void> {
  const file = join(gateway.directory, 'config.yml');
  const document = parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, stringify({ ...document, auth: { roles, role_access: { family: { may } } } }));
  await gateway.reloading.reload('test');
}

async function open(front: Front, target: string): Promise<OpenStream> {
  const address = front === 'nginx with the relay' ? nginx.authenticated : gateway.addresses.authenticated;
  const at = { address: address ?? '', tls: true };
  const stream = await openStream(at, target, [['Cookie', `session_token=${user.token}`]]);
  streams.push(stream);
  return stream;
}

const statusOf = async (front: Front, target: string) => (await open(front, target)).status;
const isBegun = ({ status }: OpenStream) => status === 200 || status === 101;

describe.each(takings)('through the %s, a user who loses %s', (front, word, ends, goesOn) => {
  test.each([
    ['by the API', put],
    ['by a reload', reload],
  ] as const)('%s: what needs it ends, and the rest stays', async (_, change) => {
    const ending = await Promise.all(ends.map((target) => open(front, target)));
    const going = await Promise.all(goesOn.map((target) => open(front, target)));
    expect([...ending, ...going].filter((stream) => !isBegun(stream))).toEqual([]);
    await change(everything.filter((other) => other !== word));
    await Promise.all(ending.map(({ ended }) => ended));
    expect(going.filter(({ isOpen }) => !isOpen())).toEqual([]);
    for (const target of ends) expect([target, await statusOf(front, target)]).toEqual([target, 403]);
    await change(everything);
    for (const target of ends) expect(isBegun(await open(front, target)), target).toBe(true);
  });

  test('no stream that opens meanwhile survives', async () => {
    const ask = (count: number) =>
      Array.from({ length: count }, (_, i) => open(front, ends[i % ends.length] ?? ''));
    const before = ask(20);
    await before[0];
    const taken = put(everything.filter((other) => other !== word));
    const after = ask(20);
    await taken;
    const opened = (await Promise.all([...before, ...after])).filter(isBegun);
    expect(opened).not.toEqual([]);
    await Promise.all(opened.map(({ ended }) => ended));
  });
});
