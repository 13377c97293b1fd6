import type { Socket } from 'node:net';
import { connectTo } from './raw-http.ts';

/** Something that a client asked for and that does not end by itself. */
export interface OpenStream {
  /** Of the answer; 101: a WebSocket. */
  readonly status: number;
  readonly isOpen: () => boolean;
  /** Settles when the connection is gone. */
  readonly ended: Promise<void>;
  readonly close: () => void;
}

/** Request targets of a camera's streams. */
export const streamsOf = (camera: string) => ({
  picture: `/api/${camera}`,
  video: `/live/mse/api/ws?src=${camera}`,
});

type Header = readonly [name: string, value: string];

const isWebSocket = /^\/(?:live\/|ws|api\/go2rtc\/(?:api\/)?ws\?)/;

/** Of a request for a WebSocket. */
export const upgradeHeaders: readonly Header[] = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];

const lengthOf = (body: string): readonly Header[] =>
  body === '' ? [] : [['Content-Length', String(body.length)]];

/**
 * Opens a stream as a player does; a WebSocket where the target is one.
 * @param at `host:port`, or `unix:/path`
 * @param body of an answer that is no WebSocket's
 * @returns once the answer has begun, or the connection ended without one (status 0)
 */
export async function openStream(
  at: { readonly address: string; readonly tls: boolean },
  target: string,
  headers: readonly Header[],
  body = '',
): Promise<OpenStream> {
  const socket: Socket = connectTo(at.address, at.tls).on('error', () => undefined);
  const lines = [
    ['Host', 'gate.local'],
    ...headers,
    ...(isWebSocket.test(target) ? upgradeHeaders : lengthOf(body)),
  ];
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(
    `GET ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  const begun = new Promise<number>((resolve) =>
    socket.once('data', (chunk: Buffer) =>
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 0)),
    ),
  );
  const status = await Promise.race([begun, ended.then(() => 0)]);
  socket.on('data', () => undefined);
  return { status, isOpen: () => !socket.closed, ended, close: () => socket.destroy() };
}
