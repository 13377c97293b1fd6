import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { endingFronts, startGated, type GatedRecorder } from '../support/gated-recorder.ts';
import { userOf, type Visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';

const cameras = ['driveway', 'garage'];
const config = {
  auth: {
    roles: { family: cameras, guard: ['driveway'] },
    role_access: { guard: { may: ['live', 'talk'] } },
    failed_login_rate_limit: '1000/minute',
  },
  cameras,
};
const sdp = (...sections: readonly string[]) => `v=0\r\n${sections.map((line) => `${line}\r\n`).join('')}`;
const watching = sdp('m=video 9 RTP/AVP 96', 'a=recvonly', 'm=audio 9 RTP/AVP 0', 'a=recvonly');
const speaking = sdp('m=video 9 RTP/AVP 96', 'a=recvonly', 'm=audio 9 RTP/AVP 0', 'a=sendonly');
const filming = sdp('m=video 9 RTP/AVP 96', 'a=sendonly');
// A session that asks for nothing: go2rtc takes its client as a source of the stream.
const inactive = sdp('m=video 9 RTP/AVP 96', 'a=inactive', 'm=audio 9 RTP/AVP 0', 'a=inactive');
const offers = { watching, speaking, filming, inactive } as const;
const udp = 'candidate:1 1 udp 2113937151 192.0.2.1 46154 typ host';
const tcp = 'candidate:2 1 tcp 1518280447 192.0.2.1 22 typ host tcptype passive';
const reached = `${watching}a=${udp}\r\n`;
const reaching = `${reached}a=${tcp}\r\n`;
const servers = [{ urls: ['turn:192.0.2.1:22?transport=tcp'], username: 'u', credential: 'c' }];

/** As go2rtc says why a stream does not open. */
const cause =
  'streams: Get "http://***@10.0.0.5/x?password=hunter2": dial tcp 10.0.0.5:80: connection refused';

/** What reaches a recorder's go2rtc: bodies, and messages. */
async function startStreams() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      if (request.method === 'POST') heard.push(body);
      if (request.url?.includes('offline') === true)
        response.writeHead(500, { 'x-cause': 'is shown' }).end(cause);
      else response.end('{}');
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const text = (data as Buffer).toString();
      heard.push(text);
      if (text.includes('hls')) socket.send(JSON.stringify({ type: 'error', value: `hls: ${cause}` }));
      else socket.send(Buffer.from([0, 1, 2]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeHeard: () => heard.splice(0),
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

describe.each(endingFronts)('through the %s', (front) => {
  let streams: Awaited<ReturnType<typeof startStreams>>;
  let gated: GatedRecorder;
  const people = new Map<string, Visitor>();

  beforeAll(async () => {
    streams = await startStreams();
    gated = await startGated(front, streams, { config });
    people.set('admin', gated.admin);
    for (const role of ['viewer', 'family', 'guard'])
      people.set(role, await userOf(gated.admin, gated.address, `u-${role}`, role));
  });
  afterEach(() => void streams.takeHeard());
  afterAll(() => gated.close());

  const open = async (role: string, path: string) => {
    const socket = new WebSocket(`wss://${gated.address}${path}?src=driveway`, {
      rejectUnauthorized: false,
      headers: { host: 'gate.local', cookie: `session_token=${people.get(role)?.token}` },
    });
    const answers: string[] = [];
    socket.on('message', (data, isBinary) => answers.push(isBinary ? 'video' : (data as Buffer).toString()));
    socket.on('error', () => undefined);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return { socket, answers };
  };

  const mayOffer: Readonly<Record<string, readonly (keyof typeof offers)[]>> = {
    admin: ['watching', 'speaking', 'filming', 'inactive'],
    viewer: ['watching', 'speaking'],
    guard: ['watching', 'speaking'],
    family: ['watching'],
  };

  test.each(['/live/mse/api/ws', '/live/webrtc/api/ws', '/api/go2rtc/api/ws'])(
    'on the WebSocket %s',
    async (path) => {
      const last = JSON.stringify({ type: 'mse', value: '' });
      for (const [role, may] of Object.entries(mayOffer)) {
        const { socket, answers } = await open(role, path);
        const messages = (names: readonly (keyof typeof offers)[]) =>
          names.flatMap((name) => [
            JSON.stringify({ type: 'webrtc/offer', value: offers[name] }),
            JSON.stringify({ type: 'webrtc', value: { type: 'offer', sdp: offers[name] } }),
          ]);
        const sent = messages(['watching', 'speaking', 'filming', 'inactive']);
        for (const text of [...sent, last]) socket.send(text);
        await expect.poll(() => answers.length).toBe(sent.length + 1);
        const passed = messages(may);
        expect([role, streams.takeHeard()]).toEqual([role, [...passed, last]]);
        const refused = answers.filter((text) => text.includes('"error"'));
        expect([role, refused.length]).toEqual([role, sent.length - passed.length]);
        socket.terminate();
      }
    },
  );

  test.each(['/live/mse/api/ws', '/live/webrtc/api/ws', '/api/go2rtc/api/ws'])(
    'on the WebSocket %s, go2rtc connects only where a recorder may',
    async (path) => {
      const offer = (sdp: string, more = {}) =>
        JSON.stringify({ type: 'webrtc', value: { type: 'offer', sdp, ...more } });
      const of = (type: string, value: string) => JSON.stringify({ type, value });
      const last = of('mse', '');
      const sent = [
        offer(reaching, { ice_servers: servers }),
        of('webrtc/offer', reaching),
        of('webrtc/candidate', tcp),
        ...Array<string>(70).fill(of('webrtc/candidate', udp)),
        offer(reaching),
        last,
      ];
      const passed = [
        offer(reached),
        of('webrtc/offer', reached),
        ...Array<string>(62).fill(of('webrtc/candidate', udp)),
        offer(watching),
        last,
      ];
      for (const role of ['admin', 'viewer', 'guard', 'family']) {
        const { socket } = await open(role, path);
        for (const text of sent) socket.send(text);
        const heard: string[] = [];
        await expect.poll(() => heard.push(...streams.takeHeard()) > 0 && heard.at(-1)).toBe(last);
        expect([role, heard]).toEqual([role, role === 'admin' ? sent : passed]);
        socket.terminate();
      }
    },
  );

  const send = async (role: string, type: string, body: string) =>
    sendRaw(
      gated.address,
      {
        method: 'POST',
        uri: '/api/go2rtc/webrtc?src=driveway',
        headers: [
          ['Cookie', `session_token=${people.get(role)?.token}`],
          ['Content-Type', type],
        ],
        body,
      },
      true,
    );

  test('in the body of an offer', async () => {
    for (const [role, may] of Object.entries(mayOffer))
      for (const name of ['watching', 'speaking', 'filming', 'inactive'] as const) {
        const json = JSON.stringify({ type: 'offer', sdp: offers[name] });
        const passes = may.includes(name);
        const statuses = [
          (await send(role, 'application/json', json)).status,
          (await send(role, 'application/sdp', offers[name])).status,
        ];
        expect([role, name, ...statuses]).toEqual([role, name, ...(passes ? [200, 200] : [403, 403])]);
        expect([role, name, streams.takeHeard()]).toEqual([role, name, passes ? [json, offers[name]] : []]);
      }
    const form = `data=${encodeURIComponent(btoa(watching))}`;
    expect((await send('guard', 'application/x-www-form-urlencoded', form)).status).toBe(400);
    expect(streams.takeHeard()).toEqual([]);
  });

  test('in a body, go2rtc connects only where a recorder may', async () => {
    const json = (sdp: string, more = {}) => JSON.stringify({ type: 'offer', sdp, ...more });
    for (const role of ['admin', 'viewer', 'guard', 'family']) {
      const isAdmin = role === 'admin';
      const sent = json(reaching, { ice_servers: servers });
      expect((await send(role, 'application/json', sent)).status).toBe(200);
      expect((await send(role, 'application/sdp', reaching)).status).toBe(200);
      const passed = isAdmin ? [sent, reaching] : [json(reached), reached];
      expect([role, streams.takeHeard()]).toEqual([role, passed]);
    }
  });

  test('only admins learn from an error where a camera is', async () => {
    for (const role of ['admin', 'viewer', 'family']) {
      const isAdmin = role === 'admin';
      const { socket, answers } = await open(role, '/live/mse/api/ws');
      socket.send(JSON.stringify({ type: 'hls', value: '' }));
      await expect.poll(() => answers).toHaveLength(1);
      expect([role, JSON.parse(answers[0] ?? '')]).toEqual([
        role,
        { type: 'error', value: `hls: ${isAdmin ? cause : 'failed'}` },
      ]);
      const cookie = ['Cookie', `session_token=${people.get(role)?.token}`] as const;
      const uri = '/api/go2rtc/api/stream.mp4?src=driveway&offline';
      const answer = await sendRaw(gated.address, { uri, headers: [cookie] }, true);
      expect([role, answer.status, answer.body]).toEqual([role, 500, isAdmin ? cause : '']);
    }
  });

  test('a refused offer is in the audit', async () => {
    const { socket, answers } = await open('family', '/live/webrtc/api/ws');
    socket.send(JSON.stringify({ type: 'webrtc/offer', value: speaking }));
    await expect.poll(() => answers).toHaveLength(1);
    const last = async () => {
      const { body } = await gated.admin.send('GET', '/postern/api/audit?event=refused&limit=1');
      const [record] = (JSON.parse(body) as { records: readonly Record<string, unknown>[] }).records;
      return [record?.['reason'], record?.['user'], record?.['object']];
    };
    await expect.poll(last).toEqual(['role_may_not', 'u-family', '/live/webrtc/api/ws']);
  });
});
