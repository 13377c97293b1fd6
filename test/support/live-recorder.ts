import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { answerGate, pathOf, type KnownRoles } from './recorder-profile.ts';
import { acceptWebSocket, frameOf, opcodes, readFrames } from './web-socket.ts';

/** Ways in which the recorder shows a camera. */
type Way = 'mse' | 'mjpeg' | 'pictures';

export interface LiveRecorder {
  /** `host:port` */
  readonly address: string;
  /** Paths of pictures that were asked for, with the query. */
  readonly asked: string[];
  /** Pictures that are being answered at this moment, and the most that ever were. */
  readonly underway: () => { readonly now: number; readonly most: number };
  /** Streams of either kind that are still open. */
  readonly open: () => number;
  /** Messages from the clients of WebSockets. */
  readonly heard: string[];
  /** Ways that work from now on. */
  readonly offer: (...ways: readonly Way[]) => void;
  /** Ends all streams, as a broken network does. */
  readonly cut: () => void;
  /** From now on this camera is offline, and no other; undefined: none is. */
  readonly takeOffline: (camera: string | undefined) => void;
  /** Pictures are answered when this is called, not before: all that wait. */
  readonly hold: (isHeld: boolean) => void;
  close(): Promise<void>;
}

const data = (name: string) => readFileSync(join(import.meta.dirname, '..', 'data', name));
/** Of video by MSE; and that of messages, which recorders answer at whatever begins like it. */
const webSockets = /^\/(?:(?:live\/mse\/api|api\/go2rtc|api\/go2rtc\/api)\/ws\?src=|ws)/;
/** 160 × 90 pixels. */
const picture = data('picture.jpg');
/** Four seconds of H.264 in one fragment, as Chromium records a canvas. */
const video = data('live.mp4');
const videoType = 'video/mp4; codecs="avc1.42C00C"';
const fragmentAt = video.indexOf('moof') - 4;
const fragmentTimescale = 30_000;
const fragmentSeconds = 4;

/** @returns the fragment, so that it is the n-th of a stream */
function fragment(n: number): Buffer {
  const bytes = Buffer.from(video.subarray(fragmentAt));
  bytes.writeBigUInt64BE(BigInt(n * fragmentSeconds * fragmentTimescale), bytes.indexOf('tfdt') + 8);
  return bytes;
}

/**
 * A recorder that really shows its cameras: pictures, an answer of many pictures, video by MSE, and clips that never end.
 * @param pictureOf other pictures than the small one of the tests
 */
export async function startLiveRecorder(
  known: KnownRoles,
  pictureOf: (camera: string) => Buffer = () => picture,
  events: unknown = [],
): Promise<LiveRecorder> {
  const asked: string[] = [];
  const heard: string[] = [];
  let ways: readonly Way[] = ['mse', 'mjpeg', 'pictures'];
  let offline: string | undefined;
  let now = 0;
  let most = 0;
  let isHeld = false;
  let held: Array<() => void> = [];
  const streams = new Set<ServerResponse | Duplex>();
  const keep = (stream: ServerResponse | Duplex) => {
    streams.add(stream);
    stream.once('close', () => streams.delete(stream));
  };

  const server = createServer((request, response) => {
    if (answerGate(request, response, known)) return;
    const path = pathOf(request.url);
    const [, streamed] = /^\/api\/go2rtc(?:\/api)?\/stream\.mjpeg\?src=(\w+)$/.exec(request.url ?? '') ?? [];
    const [, camera = streamed ?? '', rest] = /^\/api\/([^/]+)(\/latest\.jpg)?$/.exec(path) ?? [];
    if (path === '/api/events') return void response.end(JSON.stringify(events));
    if (path.endsWith('/clip.mp4')) {
      keep(response);
      return void response.writeHead(200, { 'content-type': 'video/mp4' }).write(video);
    }
    if (!known.cameras.includes(camera)) return void response.writeHead(404).end();
    if (rest === undefined) {
      if (!ways.includes('mjpeg')) return void response.writeHead(500).end();
      keep(response);
      response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace;boundary=frame' });
      const send = () => {
        response.write('--frame\r\nContent-Type: image/jpeg\r\n\r\n');
        response.write(pictureOf(camera));
        response.write('\r\n\r\n');
      };
      send();
      const timer = setInterval(send, 100);
      response.once('close', () => clearInterval(timer));
      return;
    }
    asked.push(request.url ?? '');
    if (!ways.includes('pictures')) return void response.writeHead(500).end();
    now += 1;
    most = Math.max(most, now);
    response.once('close', () => (now -= 1));
    const answer = () => {
      response.setHeader('content-type', 'image/jpeg').setHeader('cache-control', 'no-store');
      if (offline === camera) response.setHeader('x-frigate-offline', 'true');
      response.end(pictureOf(camera));
    };
    if (isHeld) held.push(answer);
    else answer();
  });
  server.on('upgrade', (request, socket) => {
    socket.on('error', () => socket.destroy());
    if (!ways.includes('mse') || !webSockets.test(request.url ?? '')) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    keep(socket);
    socket.once('end', () => socket.end());
    acceptWebSocket(request, socket);
    let timer: NodeJS.Timeout | undefined;
    socket.once('close', () => clearInterval(timer));
    readFrames(socket, ({ opcode, payload }) => {
      if (opcode === opcodes.close) return void socket.end(frameOf(opcodes.close, payload));
      heard.push(payload.toString());
      const type = JSON.stringify({ type: 'mse', value: videoType });
      socket.write(frameOf(opcodes.text, Buffer.from(type)));
      socket.write(frameOf(opcodes.binary, video.subarray(0, fragmentAt)));
      let n = 0;
      const send = () => void socket.write(frameOf(opcodes.binary, fragment(n++)));
      send();
      timer = setInterval(send, fragmentSeconds * 1_000);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const stream of streams) stream.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    heard,
    underway: () => ({ now, most }),
    open: () => streams.size,
    offer: (...offered) => (ways = offered),
    cut,
    takeOffline: (camera) => (offline = camera),
    hold: (held_) => {
      isHeld = held_;
      if (isHeld) return;
      for (const answer of held) answer();
      held = [];
    },
    close: async () => {
      server.close();
      cut();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
