import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { capabilities } from '../../src/policy/capability.ts';
import { adminOf, userOf, visitor, type Visitor } from './log-in.ts';
import { sendRaw, type RawAnswer, type RawRequest } from './raw-http.ts';
import { openShare, shareOf, type MadeShare } from './share.ts';
import { startGateway, type RunningGateway } from './start-gateway.ts';

const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];
export const frontDoor = '1793000935.726501-j8ht9l';
export const backYard = '1793001976.611703-seh60k';
export const thumbnail = `api/events/${frontDoor}/thumbnail.jpg`;
export const noon = 1_793_100_000_000;
export const asked = (uri: string, cookie: string, more: Partial<RawRequest> = {}): RawRequest => ({
  uri,
  ...more,
  headers: [['Cookie', `postern_share=${cookie}`], ...(more.headers ?? [])],
});
export const mediaOf = (share: MadeShare, path = thumbnail) => `/postern/share/${share.id}/media/${path}`;
export const codeOf = ({ body }: RawAnswer) => (JSON.parse(body) as { code?: string }).code;

/** A gate before a recorder for all tests of a file: with an admin, and two who share what they may see. */
export function startShareSite() {
  /** Milliseconds since the epoch, by the clock of the gate; a test that moves it puts it back. */
  const time = { now: noon };
  let gateway: RunningGateway;
  let admin: Visitor;
  let vera: Visitor;
  let gina: Visitor;
  /** What has reached the recorder, without what the gate itself asks. */
  const reached: IncomingMessage[] = [];
  /** Answers of which the recorder has sent a part. */
  const begun: ServerResponse[] = [];

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/api/profile') === true) {
      const granted = { username: 'postern', role: 'x', allowed_cameras: [] };
      return void response.end(JSON.stringify(granted));
    }
    if (request.headers['remote-user'] === 'postern') return void response.writeHead(404).end();
    reached.push(request);
    response.setHeader('set-cookie', 'recorder=1');
    response.setHeader('location', 'https://elsewhere.example/');
    response.setHeader('x-recorder', 'garage');
    if (!(request.url ?? '').endsWith('/clip.mp4')) return void response.end('picture');
    response.write('the first part');
    begun.push(response);
    return undefined;
  };

  const address = () => gateway.addresses.authenticated ?? '';
  const behindFront = () => gateway.addresses.forwardAuthAuthenticated ?? '';
  const recorder = createServer(answer);
  beforeAll(async () => {
    recorder.listen(0, '127.0.0.1');
    await once(recorder, 'listening');
    gateway = await startGateway({
      config: {
        auth: {
          roles: { family: ['front_door', 'driveway'], yard: ['back_yard'], guests: ['front_door'] },
          role_access: {
            family: { may: capabilities },
            yard: { may: capabilities },
            guests: { may: capabilities, from: '2026-10-27', until: '2026-10-29', history: 'from' },
          },
        },
        cameras,
        upstream: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
        recorder: { check_interval: 3_600 },
      },
      clock: { now: () => time.now },
    });
    admin = await adminOf(gateway);
    vera = await userOf(admin, address(), 'vera', 'viewer');
    gina = await userOf(admin, address(), 'gina', 'guests');
  });
  afterAll(async () => {
    await gateway.close();
    recorder.closeAllConnections();
    recorder.close();
  });

  let clients = 0;
  /** Each from an address of its own, so that no failure counts for another. */
  const shareVisitor = (from = `198.51.${Math.floor((clients += 1) / 250)}.${clients % 250}`): Visitor => {
    const client = visitor(behindFront());
    return {
      ...client,
      send: (method, uri, body, headers = []) =>
        client.send(method, uri, body, [...headers, ['X-Forwarded-For', from]]),
    };
  };
  const make = (wanted: object = {}, creator = vera) =>
    shareOf(creator, { kind: 'event', id: frontDoor, expires_in: 3600, ...wanted });
  const opened = async (share: MadeShare, password?: string) => {
    const { answer, cookie } = await openShare(shareVisitor(), share, password);
    if (cookie === undefined) throw new Error(`${answer.status} ${answer.body}`);
    return cookie;
  };
  const see = (share: MadeShare, cookie: string, path?: string) =>
    sendRaw(address(), asked(mediaOf(share, path), cookie), true);
  const openingsOf = async ({ id }: MadeShare) => {
    const { body } = await vera.send('GET', '/postern/api/shares');
    const listed = JSON.parse(body) as Array<{ id: string; openings: number }>;
    return listed.find((one) => one.id === id)?.openings;
  };
  /** What an ended share answers, both to its link and to a visitor who has unlocked it. */
  const isOver = async (share: MadeShare, cookie: string, path?: string) => {
    reached.length = 0;
    const seen = await see(share, cookie, path);
    const { answer } = await openShare(shareVisitor(), share);
    expect([seen.status, codeOf(seen), answer.status, answer.body]).toEqual([
      404,
      'share_over',
      404,
      '{"message":"This share has ended","code":"share_over"}',
    ]);
    expect(reached).toEqual([]);
  };

  return {
    time,
    reached,
    begun,
    gateway: () => gateway,
    admin: () => admin,
    vera: () => vera,
    gina: () => gina,
    address,
    behindFront,
    shareVisitor,
    make,
    opened,
    see,
    openingsOf,
    isOver,
  };
}
