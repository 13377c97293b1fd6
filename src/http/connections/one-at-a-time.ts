import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endSocket } from './cut-connection.ts';
import { currentAnswer, filterRequests, isAllTaken, onConnection } from './http-connection.ts';

/**
 * Serves one request of a connection at a time. Node would start every pipelined request (RFC 9112, 9.3.2) at once and keep
 * the responses in memory, for a client that may never read them. Here, what arrives behind an unfinished request is
 * discarded, and the connection is closed after the current response. Clients then send the request again.
 * @param onPipelined called once for each such connection
 */
export function serveOneAtATime(server: Server, onPipelined: () => void): void {
  onConnection(server, (socket) => {
    let isClosing = false;
    const close = (answer: ServerResponse) => {
      if (isClosing) return;
      isClosing = true;
      onPipelined();
      closeAfter(socket, answer);
    };
    const mayWait = 'encrypted' in socket ? waitOverTls(socket, close) : () => false;
    filterRequests(socket, (begin) => {
      if (isClosing) return 'drop';
      const answer = currentAnswer(socket);
      if (mayWait(answer, begin)) return 'wait';
      if (answer === undefined) return 'begin';
      close(answer);
      return 'drop';
    });
  });
}

// Milliseconds until Node notices that a response has been sent.
const learningTime = 1_000;

type MayWait = (answer: ServerResponse | undefined, begin: (() => void) | undefined) => boolean;

/**
 * Over TLS, Node notices a moment late that a response has been sent, and a quick client has sent its next request by
 * then.
 * @param onPipelined called when the response had not been sent after all
 * @returns whether a request begins when the response is finished
 */
function waitOverTls(socket: Socket, onPipelined: (answer: ServerResponse) => void): MayWait {
  let bytesRead = 0;
  let waitedFor: ServerResponse | undefined;
  return (answer, begin) => {
    // Data in the same bytes as the previous request was sent before the response.
    const isLater = socket.bytesRead !== bytesRead;
    ({ bytesRead } = socket);
    if (answer?.headersSent !== true || begin === undefined) return false;
    if (answer === waitedFor || !isLater || !isAllTaken(socket)) return false;
    waitedFor = answer;
    const giveUp = setTimeout(() => onPipelined(answer), learningTime).unref();
    answer.once('close', () => clearTimeout(giveUp));
    answer.once('finish', () => {
      if (socket.writable) begin();
    });
    return true;
  };
}

function closeAfter(socket: Socket, answer: ServerResponse): void {
  // Once the parser is done with the message.
  process.nextTick(() => discardInput(socket));
  // Node calls this after a response with `Connection: close`.
  socket.destroySoon = () => linger(socket);
  if (!answer.headersSent) answer.setHeader('connection', 'close');
  else answer.prependOnceListener('finish', () => socket.destroySoon());
}

// Bytes a second.
const mostDiscarded = 1_048_576;

/**
 * Reads and discards further data: otherwise a client that disconnects would go unnoticed, and its request would keep its
 * place at the recorder.
 */
export function discardInput(socket: Socket): void {
  let left = mostDiscarded;
  const discard = (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) socket.pause();
  };
  const refill = setInterval(() => {
    left = mostDiscarded;
    socket.resume();
  }, 1_000).unref();
  socket.once('close', () => clearInterval(refill));
  socket.on('data', discard);
  for (const listener of socket.listeners('data'))
    if (listener !== discard) socket.off('data', listener as (chunk: Buffer) => void);
  socket.resume();
}

/** Closing with bytes unread would be a reset, and the client could lose the answer (RFC 9112, 9.6). */
function linger(socket: Socket): void {
  endSocket(socket);
  socket.once('end', () => socket.destroy());
}
