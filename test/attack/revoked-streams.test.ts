import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

const cameras = ['driveway', 'garage'];
const config = {
  tls: { enabled: false },
  auth: { roles: { family: cameras }, failed_login_rate_limit: '1000/minute' },
  limits: { upstream_connections: 150 },
  cameras,
};

const streamsAtOnce = 100;
const rounds = 10;

/** Streams that are asked for before a right is taken away, while it is, and after. */
describe.each(['embedded front', 'nginx with the relay'] as const)('through the %s', (front) => {
  let recorder: LiveRecorder;
  let gateway: RunningGateway;
  let nginx: RunningNginx | undefined;
  let address: string;
  let admin: Visitor;
  beforeAll(async () => {
    recorder = await startLiveRecorder({ cameras, roles: config.auth.roles });
    gateway = await startGateway({ config: { ...config, upstream: `http://${recorder.address}` } });
    if (front !== 'embedded front')
      nginx = await startNginxFor(gateway, { recorder: recorder.address, tls: false });
    address = nginx?.authenticated ?? gateway.addresses.authenticated ?? '';
    admin = await adminWithoutTls(gateway);
  });
  afterAll(async () => {
    await nginx?.close();
    await gateway.close();
    await recorder.close();
  });

  const takings: ReadonlyArray<
    readonly [name: string, take: (user: Visitor, name: string) => Promise<unknown>]
  > = [
    ['a logout', (user) => user.send('POST', '/api/logout')],
    ['the end of the sessions', (_, name) => admin.send('DELETE', `/postern/api/sessions?user=${name}`)],
    ['a block', (_, name) => admin.send('PUT', `/postern/api/users/${name}/blocked`, { blocked: true })],
    ['another role', (_, name) => admin.send('PUT', `/api/users/${name}/role`, { role: 'viewer' })],
    ['the end of the user', (_, name) => admin.send('DELETE', `/api/users/${name}`)],
  ];

  test(`of ${rounds * streamsAtOnce} streams that open while their right is revoked, none survives`, async () => {
    let opened = 0;
    for (let round = 0; round < rounds; round += 1) {
      const [, take] = takings[round % takings.length] as (typeof takings)[number];
      const name = `user-${round}`;
      const user = await userWithoutTls(admin, gateway, name);
      const cookie = [['Cookie', `session_token=${user.token}`]] as const;
      const { picture, video } = streamsOf('driveway');
      const asking: Array<Promise<OpenStream>> = [];
      const ask = (count: number) => {
        for (let i = 0; i < count; i += 1)
          asking.push(openStream({ address, tls: false }, i % 2 === 0 ? picture : video, cookie));
      };
      // Each round with another part of them ahead.
      const ahead = Math.round((streamsAtOnce * (round + 1)) / (rounds + 1));
      ask(ahead);
      // With some, answers have begun by then; with others, their requests have not been read yet.
      if (round % 3 > 0) await asking[Math.floor(ahead / (round % 3))];
      const taken = take(user, name);
      ask(streamsAtOnce - ahead);
      await taken;
      const streams = await Promise.all(asking);
      opened += streams.filter(({ status }) => status === 200 || status === 101).length;
      await Promise.all(streams.filter(({ status }) => status < 400).map((stream) => stream.ended));
      for (const stream of streams) stream.close();
      expect((await openStream({ address, tls: false }, picture, cookie)).status).toBe(401);
    }
    // Some on either side of the moment.
    expect(opened).toBeGreaterThan(rounds);
    expect(opened).toBeLessThan(rounds * streamsAtOnce);
    await expect.poll(() => recorder.open()).toBe(0);
  });
});

const adminWithoutTls = (gateway: RunningGateway) =>
  adminOf(gateway, gateway.addresses.forwardAuthAuthenticated ?? '');
const userWithoutTls = (admin: Visitor, { addresses }: RunningGateway, name: string) =>
  userOf(admin, addresses.forwardAuthAuthenticated ?? '', name, 'family');
