import type { ServerResponse } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { AppError } from '../../errors.ts';
import type { RawHeaders } from '../../policy/raw-headers.ts';

type Controller = Dispatcher.DispatchController;

/**
 * Writes the upstream's answer to the client as it arrives, and stops reading while the client does not read. If the client leaves,
 * the request is aborted.
 *
 * It writes the chunks of undici's parser directly. With undici's Readable, `pipeline` and an AbortController in between, a picture of
 * 20 KB took twice the processor time: 185 µs, and 95 µs without them (76 µs without a decision).
 */
export class AnswerStream implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #added: readonly string[];
  readonly #onFailure: () => void;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  readonly #headers: (lines: RawHeaders) => string[];
  #controller: Controller | undefined;
  #hasLeft: boolean;
  #hasBody = false;
  #isOver = false;

  /**
   * @param added our own header lines of the answer
   * @param onFailure called if the upstream does not answer, or breaks its answer off
   * @param resolve called when the connection to the upstream is free again
   * @param reject called with AppError `upstream_unavailable` if there is no answer, and nothing was sent to the client
   * @param headers filters the header lines of the answer
   */
  constructor(
    response: ServerResponse,
    added: readonly string[],
    onFailure: () => void,
    resolve: () => void,
    reject: (error: Error) => void,
    headers: (lines: RawHeaders) => string[],
  ) {
    this.#response = response;
    this.#added = added;
    this.#onFailure = onFailure;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#headers = headers;
    this.#hasLeft = response.closed;
    response.once('close', () => this.#leave());
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#hasLeft) controller.abort(new errors.RequestAbortedError());
  }

  onResponseStart(controller: Controller, status: number): void {
    // Interim answers are for this hop only.
    if (status < 200) return;
    this.#response.writeHead(status, [...this.#headers(linesOf(controller)), ...this.#added]);
    // Node holds the header lines back until there is a body, and writes both at once. Most bodies begin in the same turn.
    setImmediate(flushHeader, this);
  }

  /** Sends the header lines of an answer whose body is still to come. */
  flushHeader(): void {
    if (!this.#hasBody && !this.#isOver) this.#response.flushHeaders();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#hasBody = true;
    if (this.#response.write(chunk, isAlone(chunk) ? () => free(chunk) : undefined)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#isOver = true;
    this.#response.end();
    this.#resolve();
  }

  onResponseError(_: Controller | undefined, cause: Error): void {
    this.#isOver = true;
    const isOurs = cause instanceof AppError;
    if (!this.#hasLeft && !isOurs) this.#onFailure();
    if (this.#response.headersSent) {
      // The status has been sent: only a broken connection shows the client that the answer is incomplete.
      this.#response.destroy();
      this.#resolve();
    } else {
      this.#reject(isOurs ? cause : new AppError('upstream_unavailable', { cause }));
    }
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#hasLeft = true;
    this.#controller?.abort(new errors.RequestAbortedError());
  }
}

function flushHeader(stream: AnswerStream): void {
  stream.flushHeader();
}

// Bytes; reads return 64 KiB at most, and smaller chunks are cheap to keep.
const leastFreed = 32_768;

/** Whether a chunk is the only content of its memory. */
function isAlone({ byteLength, buffer }: Buffer): boolean {
  return byteLength >= leastFreed && byteLength === buffer.byteLength;
}

/**
 * Frees the memory for the next chunk, while the processor's cache still holds it. Left to the garbage collector, it adds up to
 * megabytes: a segment of 2 MiB took 2.5 ms of processor time, and takes 1.6.
 */
function free({ buffer }: Buffer): void {
  (buffer as ArrayBuffer).transfer(0);
}

function linesOf({ rawHeaders }: Controller): RawHeaders {
  return (rawHeaders as readonly Buffer[]).map((text) => text.toString('latin1'));
}
