import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** A client that takes what it asked for out of its system as slowly as it likes. */
export interface SlowReader {
  /** Bytes that it has read, as they came over the network. */
  readonly read: () => number;
  /** When it last read something, by `performance.now()`. */
  readonly lastReadAt: () => number;
  /** How many bytes a second it reads from now on; 0: none. */
  readonly pace: (bytesPerSecond: number) => void;
  /** Settles when the connection is gone. @returns how it ended */
  readonly ended: Promise<'reset' | 'closed'>;
  readonly close: () => void;
}

/** Bytes that are read at once. */
const part = 4_096;

/**
 * Asks for something, and reads the answer at a pace: nothing more than what was read leaves the system's buffers. The first
 * bytes of the answer are read as they come.
 * @param at `host:port`
 */
export async function readSlowly(
  at: { readonly address: string; readonly tls: boolean },
  target: string,
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): Promise<SlowReader> {
  const { hostname, port } = new URL(`http://${at.address}`);
  let bytesPerSecond = Number.POSITIVE_INFINITY;
  let read = 0;
  let lastReadAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let onRead: (chunk: Buffer) => void = () => undefined;
  const goOn = (length: number) => {
    if (bytesPerSecond > 0) timer = setTimeout(() => socket.resume(), (length * 1_000) / bytesPerSecond);
  };
  const socket: Socket = connect({
    host: hostname,
    port: Number(port),
    // It reads as much as fits, and no more until it is asked to.
    onread: {
      buffer: Buffer.alloc(part),
      callback: (length, buffer) => {
        read += length;
        lastReadAt = performance.now();
        onRead(Buffer.from(buffer.subarray(0, length)));
        if (bytesPerSecond === Number.POSITIVE_INFINITY) return true;
        socket.pause();
        goOn(length);
        return false;
      },
    },
  });
  const ended = new Promise<'reset' | 'closed'>((resolve) => {
    let isReset = false;
    socket.on('error', (error: NodeJS.ErrnoException) => (isReset = error.code === 'ECONNRESET'));
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(isReset ? 'reset' : 'closed');
    });
  });
  const carried = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
  });
  onRead = (chunk) => void carried.push(chunk);
  socket.once('close', () => carried.push(null));
  await once(socket, 'connect');
  const client: Duplex = at.tls ? connectTls({ socket: carried, rejectUnauthorized: false }) : carried;
  client.on('error', () => undefined);
  const lines = [['Host', 'gate.local'], ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  await once(client, 'data');
  client.on('data', () => undefined);
  return {
    read: () => read,
    lastReadAt: () => lastReadAt,
    pace: (wanted) => {
      bytesPerSecond = wanted;
      clearTimeout(timer);
      goOn(part);
    },
    ended,
    close: () => socket.destroy(),
  };
}
