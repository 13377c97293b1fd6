import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { listenToMessages, type MessageClient } from '../support/listen-to-messages.ts';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { opcodes, readFrames } from '../support/web-socket.ts';
import { attackConfig, from } from './row.ts';

const cameras = Object.keys(attackConfig.cameras);
let recorder: Recorder;
let gateway: RunningGateway;
beforeAll(async () => {
  recorder = await startRecorder(cameras, attackConfig.auth.roles);
  gateway = await startGateway({
    config: {
      ...attackConfig,
      auth: {
        ...attackConfig.auth,
        role_access: { hyphens: { from: '2020-01-01', history: 'from' } },
      },
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: 'off' },
        forward_auth: { authenticated: '127.0.0.1:0' },
        relay: { authenticated: '127.0.0.1:0' },
      },
      limits: { upstream_connections: 8 },
      upstream: `http://${recorder.address}`,
    },
  });
});
afterEach(() => void recorder.takeHeard());
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const operator = from('olaf', 'group_operator');
const viewer = from('vera', 'group_viewer');

const ways = {
  'the embedded front': () => ({ address: gateway.addresses.authenticated ?? '', tls: true }),
  'the relay': () => ({ address: gateway.addresses.relayAuthenticated ?? '', tls: false }),
} as const;

describe.each(Object.entries(ways))('%s', (_, at) => {
  const open = async (headers: typeof operator, path?: string): Promise<MessageClient> => {
    const client = await listenToMessages(at(), headers, path);
    if ('refused' in client) throw new Error(`refused: ${client.refused}`);
    onTestFinished(() => client.socket.terminate());
    return client;
  };
  const tellAll = () => {
    for (const camera of cameras) {
      recorder.tell(`${camera}/person`, '1');
      recorder.tell('events', { before: { camera }, after: { camera } });
      recorder.tell(`of_${camera}`, { camera });
    }
    recorder.tell('model_state', {});
  };

  test('a role that is limited to cameras gets messages of its cameras, and a viewer of all', async () => {
    const [limited, all] = [await open(operator), await open(viewer)];
    tellAll();
    expect(await limited.until('model_state')).toEqual([
      'garage/person',
      'events',
      'driveway/person',
      'events',
      'model_state',
    ]);
    // Unknown topics may be about anything.
    expect(await all.until('model_state')).toHaveLength(2 * cameras.length + 1);
  });

  test('a role without earlier recordings gets messages of what began since', async () => {
    const client = await open(from('hy', 'group_hyphens'));
    const of = (start_time?: number) => ({ after: { camera: 'yard', start_time } });
    recorder.tell('events', of(1));
    recorder.tell('reviews', of());
    recorder.tell('reviews', of(1_793_000_000));
    recorder.tell('yard/motion', 'ON');
    recorder.tell('model_state', {});
    expect(await client.until('model_state')).toEqual(['reviews', 'yard/motion', 'model_state']);
  });

  test('a role that gets other cameras gets their messages from then on, over the same WebSocket', async () => {
    const [limited, mapped] = [await open(operator), await open(from('hugo', 'group_hyphens'))];
    const file = join(gateway.directory, 'config.yml');
    const former = readFileSync(file, 'utf8');
    const document = parse(former) as typeof attackConfig;
    document.auth.roles.operator = ['driveway', 'back_yard'];
    document.proxy.role_map.hyphens = ['another group'];
    writeFileSync(file, stringify(document));
    // A user with another role starts again, perhaps before the reload is over.
    const closed = once(mapped.socket, 'close');
    await gateway.reloading.reload('signal');
    await closed;
    await expect
      .poll(async () => {
        tellAll();
        return limited.until('model_state');
      })
      .toEqual(['driveway/person', 'events', 'back_yard/person', 'events', 'model_state']);
    writeFileSync(file, former);
    await gateway.reloading.reload('signal');
  });

  test.each(['/ws/', '/wsx', '/ws/x', '//ws', '/w%73', '/ws?token=1'])(
    'of what a recorder may take for the same it hears no more: %s',
    async (path) => {
      const limited = await open(operator, path);
      tellAll();
      expect(await limited.until('model_state')).toHaveLength(5);
    },
  );

  test.each(['/', '/api/version', '/live', '/WS', '/Ws/x', '/api/stats'])(
    'it opens no other WebSocket that names no camera: %s',
    async (path) => {
      expect(await listenToMessages(at(), operator, path)).toEqual({ refused: 403 });
      expect(recorder.takeReached().filter(({ uri }) => uri === path)).toEqual([]);
    },
  );

  test('it asks how things are, in words of the gate, and changes nothing', async () => {
    const limited = await open(operator);
    recorder.takeHeard();
    for (const topic of [
      'garage/detect/set',
      'garage/ptz',
      'restart',
      'notifications/set',
      'onConnect/set',
      'x',
    ])
      limited.socket.send(JSON.stringify({ topic, payload: 'ON' }));
    limited.socket.send('no JSON');
    limited.socket.send('{"topic":"onConnect","message":"","retain":false}');
    await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"onConnect","payload":""}']);
  });

  test('a viewer sends what it likes: the recorder has rules of its own', async () => {
    const all = await open(viewer);
    recorder.takeHeard();
    all.socket.send('{"topic":"garage/ptz","payload":"STOP","retain":true}');
    await expect
      .poll(() => recorder.takeHeard())
      .toEqual(['{"topic":"garage/ptz","payload":"STOP","retain":true}']);
  });

  test('a role without ptz moves no camera', async () => {
    const limited = await open(operator);
    recorder.takeHeard();
    for (const payload of ['MOVE_LEFT', 'STOP', 'preset_home', 'move_relative_0.1_0.1'])
      for (const camera of [...cameras, 'a/garage', ''])
        limited.socket.send(JSON.stringify({ topic: `${camera}/ptz`, payload }));
    limited.socket.send('{"topic":"onConnect"}');
    await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"onConnect","payload":""}']);
  });

  test('JSON that the recorder reads and the gate does not is dropped, so that no command is missed', async () => {
    const all = await open(viewer);
    recorder.takeHeard();
    for (const number of ['NaN', 'Infinity', '-Infinity'])
      all.socket.send(`{"topic":"garage/ptz","payload":"MOVE_UP","x":${number}}`);
    all.socket.send('{"topic":"onConnect"}');
    await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"onConnect"}']);
  });

  test('an admin sends what it likes', async () => {
    const admin = await open(from('ada', 'group_admin'));
    recorder.takeHeard();
    admin.socket.send('{"topic":"restart","payload":"","retain":false}');
    await expect
      .poll(() => recorder.takeHeard())
      .toEqual(['{"topic":"restart","payload":"","retain":false}']);
  });

  test('a binary message ends it, and does not get through', async () => {
    const limited = await open(operator);
    recorder.takeHeard();
    limited.socket.send(Buffer.from('{"topic":"onConnect"}'));
    const [code] = (await once(limited.socket, 'close')) as [number];
    expect([code, recorder.takeHeard()]).toEqual([1003, []]);
  });

  test('a message that is too long ends it', async () => {
    const limited = await open(operator);
    recorder.takeHeard();
    limited.socket.send(JSON.stringify({ topic: 'onConnect', payload: 'x'.repeat(20_000) }));
    const [code] = (await once(limited.socket, 'close')) as [number];
    expect([code, recorder.takeHeard()]).toEqual([1009, []]);
  });

  test('a message of the recorder that is too deep to be written again ends it, and nothing else', async () => {
    const limited = await open(operator);
    const closed = once(limited.socket, 'close');
    const levels = 40_000;
    recorder.tell('camera_activity', `{"garage":${'{"0":'.repeat(levels)}1${'}'.repeat(levels)}}`);
    expect((await closed)[0]).toBe(1003);
    const next = await open(operator);
    tellAll();
    expect(await next.until('model_state')).toHaveLength(5);
  });

  describe('frames by hand', () => {
    const handshake = (lines: readonly string[] = [], who = operator) =>
      [
        'GET /ws HTTP/1.1',
        'Host: gate.local',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ...who.map(([name, value]) => `${name}: ${value}`),
        ...lines,
        '',
        '',
      ].join('\r\n');

    /** @returns the connection after the 101, and its bytes */
    const openRaw = async (more: readonly string[] = [], behind = Buffer.alloc(0), who = operator) => {
      const { address, tls } = at();
      const socket = connectTo(address, tls);
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      socket.write(Buffer.concat([Buffer.from(handshake(more, who)), behind]));
      let head = '';
      while (!head.includes('\r\n\r\n')) {
        const [chunk] = (await once(socket, 'data')) as [Buffer];
        head += chunk.toString('latin1');
      }
      return { socket, head };
    };

    /** @param first opcode, and FIN and reserved bits */
    const frame = (first: number, text: string, masked = true) => {
      const payload = Buffer.from(text);
      const mask = Buffer.from([1, 2, 3, 4]);
      const body = masked ? payload.map((byte, i) => byte ^ (mask[i % 4] as number)) : payload;
      return Buffer.concat([
        Buffer.from([first, payload.length | (masked ? 0x80 : 0)]),
        masked ? mask : Buffer.alloc(0),
        body,
      ]);
    };
    const fin = 0x80;
    const question = '{"topic":"onConnect"}';

    const isClosed = async (socket: Socket) => {
      const closed = once(socket, 'close');
      socket.resume();
      await closed;
    };

    test('fragments are one message, whatever is between them', async () => {
      const { socket } = await openRaw();
      recorder.takeHeard();
      const [start, end] = [question.slice(0, 9), question.slice(9)];
      socket.write(
        Buffer.concat([frame(opcodes.text, start), frame(fin | opcodes.ping, 'x'), frame(fin, end)]),
      );
      await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"onConnect","payload":""}']);
      const command = '{"topic":"garage/ptz","payload":"UP"}';
      socket.write(Buffer.concat([frame(opcodes.text, command.slice(0, 12)), frame(fin, command.slice(12))]));
      socket.write(frame(fin | opcodes.text, question));
      await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"onConnect","payload":""}']);
    });

    describe('a camera is stopped, however the client that turns it goes', () => {
      const moving = '{"topic":"garage/ptz","payload":"move_left"}';
      const stop = '{"topic":"garage/ptz","payload":"STOP"}';

      test.each<readonly [how: string, go: (socket: Socket) => void]>([
        ['a connection that is gone', (socket) => socket.destroy()],
        ['an end without a close frame', (socket) => socket.end()],
        [
          'an end in the middle of a frame',
          (socket) => socket.end(frame(fin | opcodes.text, moving).subarray(0, 20)),
        ],
        ['a close frame, and nothing behind it', (socket) => socket.write(frame(fin | opcodes.close, ''))],
        ['a frame that is not masked', (socket) => socket.write(frame(fin | opcodes.text, question, false))],
        [
          'a message that is too long',
          (socket) => socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0])),
        ],
      ])('%s', async (_how, go) => {
        const { socket } = await openRaw([], undefined, viewer);
        recorder.takeHeard();
        socket.write(frame(fin | opcodes.text, moving));
        await expect.poll(() => recorder.takeHeard()).toEqual([moving]);
        go(socket);
        await expect.poll(() => recorder.takeHeard()).toContain(stop);
      });

      test.each([
        ['a binary message', frame(fin | opcodes.binary, moving)],
        ['fragments', Buffer.concat([frame(opcodes.text, moving.slice(0, 9)), frame(fin, moving.slice(9))])],
        ['escapes', frame(fin | opcodes.text, moving.replace('/', '\\u002f'))],
        ['the second of two topics', frame(fin | opcodes.text, moving.replace('{', '{"topic":"x",'))],
      ])('that turns it by %s', async (_how, bytes) => {
        const { socket } = await openRaw([], undefined, viewer);
        recorder.takeHeard();
        socket.write(bytes);
        await expect.poll(() => recorder.takeHeard()).toHaveLength(1);
        socket.destroy();
        await expect.poll(() => recorder.takeHeard()).toContain(stop);
      });

      test('that turned it before the connection to the recorder was open', async () => {
        recorder.takeHeard();
        const { socket } = await openRaw([], frame(fin | opcodes.text, moving), viewer);
        socket.destroy();
        const heard: string[] = [];
        const heardSoFar = () => {
          heard.push(...recorder.takeHeard());
          return heard;
        };
        await expect.poll(heardSoFar).toEqual([moving, stop]);
      });
    });

    test('messages sent with the handshake are filtered too', async () => {
      const command = frame(fin | opcodes.text, '{"topic":"garage/ptz","payload":"UP"}');
      await openRaw([], Buffer.concat([command, frame(fin | opcodes.text, question)]));
      await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"onConnect","payload":""}']);
    });

    test('a message in a great many fragments ends it: each would keep all that came with it', async () => {
      const { socket } = await openRaw();
      recorder.takeHeard();
      const closed = isClosed(socket);
      socket.write(frame(opcodes.text, 'x'));
      for (let i = 0; i < 100; i += 1) socket.write(frame(0, 'x'));
      await closed;
      expect(recorder.takeHeard().filter((text) => text !== '')).toEqual([]);
    });

    test.each([
      ['a frame that is not masked', frame(fin | opcodes.text, question, false)],
      ['a reserved bit, as of a compressed frame', frame(fin | 0x40 | opcodes.text, question)],
      ['an opcode that there is not', frame(fin | 3, question)],
      ['a fragment of nothing', frame(fin, question)],
      ['a control frame in fragments', frame(opcodes.ping, 'x')],
      [
        'text that is not UTF-8',
        Buffer.concat([frame(fin | opcodes.text, '\u0000'), frame(fin | 1, '').fill(0xff)]),
      ],
    ])('%s ends it, and nothing gets through', async (_name, bytes) => {
      const { socket } = await openRaw();
      recorder.takeHeard();
      socket.write(Buffer.concat([bytes, frame(fin | opcodes.text, question)]));
      await isClosed(socket);
      expect(recorder.takeHeard().filter((text) => text !== '')).toEqual([]);
    });

    test('agrees on no extension and no protocol, since nothing reads what they change', async () => {
      const { head } = await openRaw([
        'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
        'Sec-WebSocket-Protocol: chat',
      ]);
      expect(head).toMatch(/^HTTP\/1\.1 101 /);
      expect(head.toLowerCase()).not.toMatch(/sec-websocket-(?:extensions|protocol)/);
      const [reached] = recorder
        .takeReached()
        .filter(({ uri }) => uri === '/ws')
        .slice(-1);
      expect(reached?.rawHeaders.join('\n').toLowerCase()).not.toMatch(/permessage|chat/);
    });

    test.each([['Content-Length: 5'], ['Transfer-Encoding: chunked']])(
      'an upgrade with a body (%s) is none',
      async (line) => {
        const { address, tls } = at();
        await expect.poll(() => recorder.open()).toBe(0);
        const socket = connectTo(address, tls);
        onTestFinished(() => void socket.destroy());
        socket.write(`${handshake([line])}${line.startsWith('T') ? '0\r\n\r\n' : 'hello'}`);
        const [answer] = (await once(socket, 'data')) as [Buffer];
        expect(answer.toString('latin1')).not.toMatch(/^HTTP\/1\.1 101 /);
        expect(recorder.open()).toBe(0);
      },
    );

    test('a client that reads nothing holds the recorder back, and not the memory of the gate', async () => {
      const { socket } = await openRaw();
      socket.pause();
      const before = process.memoryUsage().arrayBuffers;
      for (let i = 0; i < 400; i += 1) recorder.tell('garage/note', 'x'.repeat(100_000));
      await setTimeout(300);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
      let arrived = 0;
      readFrames(socket, () => (arrived += 1));
      socket.resume();
      await expect.poll(() => arrived).toBe(400);
    });
  });

  test('a client that leaves, before or after it is open, leaves nothing behind', async () => {
    await expect.poll(() => recorder.open()).toBe(0);
    for (let i = 0; i < 12; i += 1) {
      const limited = await listenToMessages(at(), operator);
      if ('refused' in limited) throw new Error(`refused: ${limited.refused}`);
      if (i % 2 === 0) limited.socket.terminate();
      else limited.socket.close();
      await expect.poll(() => recorder.open()).toBe(0);
    }
  });
});

test('where a front only asks, only admins open such a WebSocket', async () => {
  const ask = (uri: string, headers: typeof operator) =>
    sendRaw(gateway.addresses.forwardAuthAuthenticated ?? '', {
      uri: '/auth',
      headers: [...headers, ['X-Original-Method', 'GET'], ['X-Original-URL', uri]],
    });
  const { status, headers } = await ask('/ws', operator);
  expect([status, headers.get('x-postern-reason')]).toEqual([403, ['messages_unfiltered']]);
  // Its figures have the commands of processes.
  expect((await ask('/ws', viewer)).status).toBe(403);
  expect((await ask('/ws', from('ada', 'group_admin'))).status).toBe(200);
  const upgrade = [['Sec-WebSocket-Key', 'x']] as const;
  expect((await ask('/api/version', operator)).status).toBe(200);
  expect((await ask('/api/version', [...operator, ...upgrade])).status).toBe(403);
});
