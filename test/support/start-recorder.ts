import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerConfiguration, answerGate, figuresOf, pathOf, type KnownRoles } from './recorder-profile.ts';
import type { ReachedRequest } from './recording-upstream.ts';
import { acceptWebSocket, frameOf, opcodes, readFrames } from './web-socket.ts';

export interface Recorder {
  /** `host:port` */
  readonly address: string;
  /** Takes out what has reached the recorder since the last call, upgrades included. */
  readonly takeReached: () => ReachedRequest[];
  /** Streams, uploads and WebSockets that are still open. */
  readonly open: () => number;
  /** Sends one more part of each live picture. */
  readonly nextPart: () => void;
  /** Bytes of uploads that have arrived. */
  readonly uploaded: () => number;
  /** Bytes of `/exports/endless.mp4` that the recorder could get rid of. */
  readonly sent: () => number;
  /** Sends something to every client of `/ws`: a topic, and the payload in a text. */
  readonly tell: (topic: string, payload: unknown) => void;
  /** Takes out the messages that came by `/ws` since the last call. */
  readonly takeHeard: () => string[];
  /** Gives the recorder other roles or cameras, as a restart with another file does. */
  readonly define: (changes: Partial<KnownRoles>) => void;
  /** What it has at this moment. */
  readonly known: () => KnownRoles;
  close(): Promise<void>;
}

/** Every file of the recorder: 1 MiB in which no two places look alike. */
export const recording = Buffer.concat(
  Array.from({ length: 32_768 }, (_, i) => createHash('sha256').update(String(i)).digest()),
);
export const recordingTag = '"1-recording"';

/** Cameras of the recorder of docs/recorder.md. */
export const guideCameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];

/** How long a WebSocket frame of `/live/` is. */
export const liveFrameLength = 200_000;

type Answer = (request: IncomingMessage, response: ServerResponse, path: string) => void;

/**
 * What a recorder looks like from its API: pages, JSON, live pictures, WebSockets, playlists, and files by the range.
 * It serves requests from any client.
 * @param roles its own `auth.roles`
 * @param port on loopback; 0 for a free one
 */
export async function startRecorder(
  cameras: readonly string[],
  roles: KnownRoles['roles'],
  port = 0,
): Promise<Recorder> {
  let known: KnownRoles = { cameras, roles };
  const reached: ReachedRequest[] = [];
  const open = new Set<ServerResponse | Duplex>();
  const live = new Set<ServerResponse>();
  const listeners = new Set<Duplex>();
  const heard: string[] = [];
  let uploaded = 0;
  let sent = 0;

  const keep = (going: ServerResponse | Duplex) => {
    open.add(going);
    going.once('close', () => open.delete(going));
  };
  const livePicture: Answer = (_, response) => {
    keep(response);
    live.add(response);
    response.once('close', () => live.delete(response));
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=frame' });
    response.flushHeaders();
  };
  const upload: Answer = (request, response) => {
    keep(response);
    request.on('data', ({ length }: Buffer) => (uploaded += length));
    request.on('end', () => json(response, { uploaded }));
  };
  const endless: Answer = (_, response) => {
    keep(response);
    response.writeHead(200, { 'content-type': 'video/mp4' });
    const more = () => {
      while (!response.destroyed) {
        sent += recording.length;
        if (!response.write(recording)) break;
      }
    };
    response.on('drain', more);
    more();
  };

  const answers: ReadonlyArray<readonly [path: RegExp, answer: Answer]> = [
    [/^\/api\/version$/, (_, response) => void response.end('0.17.2-test')],
    [/^\/api\/config$/, (request, response) => void answerConfiguration(request, response, known)],
    [/^\/api\/stats$/, (_, response) => json(response, figuresOf(known))],
    [/^\/api\/events/, (_, response) => json(response, [])],
    [/^\/api\/import$/, upload],
    [new RegExp(`^/api/(?:${cameras.join('|')})$`), livePicture],
    [/^\/api\//, (_, response) => json(response, {})],
    [/^\/vod\/.*\.m3u8$/, playlist],
    [/^\/exports\/endless\.mp4$/, endless],
    [/^\/(?:vod|clips|recordings|exports)\/.*\.\w+$/, file],
    [
      /^\//,
      (_, response) => void response.setHeader('content-type', 'text/html').end('<title>Recorder</title>'),
    ],
  ];

  const server = createServer((request, response) => {
    if (answerGate(request, response, known, (roles) => (known = { ...known, roles }))) return;
    reached.push(reachedOf(request));
    const path = pathOf(request.url);
    answers.find(([pattern]) => pattern.test(path))?.[1](request, response, path);
  });
  server.on('upgrade', (request, socket) => {
    reached.push(reachedOf(request));
    keep(socket);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    acceptWebSocket(request, socket);
    const isActive = request.url?.startsWith('/live/') === true;
    if (!isActive) listeners.add(socket);
    socket.once('close', () => listeners.delete(socket));
    readFrames(socket, ({ opcode, payload }) => {
      if (opcode === opcodes.close) socket.end(frameOf(opcodes.close, payload));
      else if (isActive) for (const picture of livePictures()) socket.write(picture);
      else {
        heard.push(payload.toString());
        socket.write(frameOf(opcode, payload));
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeReached: () => reached.splice(0),
    open: () => open.size,
    nextPart: () => {
      for (const response of live) response.write('--frame\r\nContent-Type: image/jpeg\r\n\r\npicture\r\n');
    },
    tell: (topic, payload) => {
      const text = JSON.stringify({
        topic,
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      });
      for (const socket of listeners) socket.write(frameOf(opcodes.text, Buffer.from(text)));
    },
    takeHeard: () => heard.splice(0),
    uploaded: () => uploaded,
    sent: () => sent,
    known: () => known,
    define: (changes) => {
      known = { ...known, ...changes };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const going of open) going.destroy();
      await once(server, 'close');
    },
  };
}

function reachedOf({ method = '', url = '', rawHeaders }: IncomingMessage): ReachedRequest {
  return { method, uri: url, rawHeaders };
}

function livePictures(): Buffer[] {
  return [0, 1, 2].map((i) => frameOf(opcodes.binary, recording.subarray(i, i + liveFrameLength)));
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}

const playlist: Answer = (_, response) => {
  response.setHeader('content-type', 'application/vnd.apple.mpegurl');
  response.end('#EXTM3U\n#EXTINF:10,\nseg-1.m4s\n#EXT-X-ENDLIST\n');
};

/** Ranges and conditions as RFC 9110, sections 13 and 14 have them, as far as players use them. */
const file: Answer = ({ method, headers }, response) => {
  response.setHeader('content-type', 'video/mp4').setHeader('accept-ranges', 'bytes');
  response.setHeader('etag', recordingTag);
  if (headers['if-none-match'] === recordingTag) {
    response.writeHead(304).end();
    return;
  }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const isWhole = first === undefined || (headers['if-range'] ?? recordingTag) !== recordingTag;
  const start = isWhole ? 0 : Number(first);
  const end = isWhole || !last ? recording.length : Number(last) + 1;
  if (!isWhole) response.setHeader('content-range', `bytes ${start}-${end - 1}/${recording.length}`);
  response.writeHead(isWhole ? 200 : 206, { 'content-length': end - start });
  response.end(method === 'HEAD' ? undefined : recording.subarray(start, end));
};
