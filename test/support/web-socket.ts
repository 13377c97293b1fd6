import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** RFC 6455, section 5.2. */
export const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Answers the handshake of a server, as RFC 6455, section 4.2.2 has it. */
export function acceptWebSocket({ headers }: IncomingMessage, socket: Duplex): void {
  const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
}

/** @returns one frame, unmasked, as a server sends it */
export function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0x80 | opcode, 127]), Buffer.alloc(8)]);
  if (length >= 65_536) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** @returns a short frame as a client sends it, masked by nothing but zeros: its text can be read */
export function maskedFrameOf(opcode: number, text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

/** Calls back with each whole frame, masked as clients send them; fragments are frames of their own. */
export function readFrames(socket: Duplex, onFrame: (frame: Frame) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let taken = take(pending); taken !== undefined; taken = take(pending)) {
      pending = pending.subarray(taken.length);
      onFrame(taken.frame);
    }
  });
}

function take(bytes: Buffer): { readonly frame: Frame; readonly length: number } | undefined {
  const [first = 0, second = 0] = bytes;
  const short = second & 127;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const maskAt = 2 + lengthBytes;
  const start = maskAt + ((second & 128) === 0 ? 0 : 4);
  if (bytes.length < start) return undefined;
  const size =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + size) return undefined;
  const mask = bytes.subarray(maskAt, start);
  const payload = Buffer.from(bytes.subarray(start, start + size));
  if (mask.length === 4) payload.forEach((byte, i) => (payload[i] = byte ^ (mask[i % 4] ?? 0)));
  return { frame: { opcode: first & 15, payload }, length: start + size };
}
