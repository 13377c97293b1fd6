import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, type Answer } from '../errors.ts';
import { currentAnswer } from './connections/http-connection.ts';
import { discardInput } from './connections/one-at-a-time.ts';
import { errorResponse } from './fronts/refusal.ts';
import { sendRaw } from './reverse-proxy/client-end.ts';

/**
 * Bytes of request line and headers together. Groups of a large company exceed Node's 16 KiB, and so does a look-up of 1,000 events,
 * which a front may send to the gate along with its own headers.
 */
export const maxHeaderSize = { client: 64 * 1024, front: 96 * 1024 } as const;

/** Bytes: 1,000 ids, as recorders make them, have 25 KiB. */
const longestTarget = 32 * 1024;

/** @returns the answer to a client whose request target is too long */
export function refuseLongTarget({ url = '' }: IncomingMessage): Answer | undefined {
  return url.length > longestTarget ? errorResponse(new AppError('target_too_long')) : undefined;
}

/**
 * Answers a head that is too long with the gate's own error, which the client can read while it still sends. Anything else that cannot be
 * parsed ends as Node ends it without this.
 */
export function refuseLongHeaders(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    const answer = currentAnswer(socket);
    if (socket.writable && answer === undefined && error.code === 'HPE_HEADER_OVERFLOW') {
      discardInput(socket);
      sendRaw(socket, errorResponse(new AppError('headers_too_long')));
      return;
    }
    const status = statusOf[error.code ?? ''] ?? 400;
    if (socket.writable && answer?.headersSent !== true)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    socket.destroy(error);
  });
}

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
