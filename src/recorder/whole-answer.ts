import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { AppError } from '../errors.ts';
import type { Allowed } from '../policy/decision.ts';
import { firstValue, isNamed, type RawHeaders } from '../policy/raw-headers.ts';
import { answerChange, type AnswerReader } from '../policy/recorder/changed-answers.ts';

type Controller = Dispatcher.DispatchController;

/** The client's answer, and the callbacks for its end. */
export interface ClientAnswer {
  readonly response: ServerResponse;
  /** Our own header lines of the answer. */
  readonly added: readonly string[];
  /** Filters the header lines of the upstream's answer. */
  readonly answerHeaders: (lines: RawHeaders) => string[];
  /** Whether an answer with an error is sent without its body. */
  readonly hidesErrors?: boolean | undefined;
  /** Called if the upstream does not answer, or breaks its answer off. */
  readonly onFailure: () => void;
  /** Called when the connection to the upstream is free again. */
  readonly resolve: () => void;
  /** Called with AppError `upstream_unavailable` if there is no answer, and nothing was sent to the client. */
  readonly reject: (error: Error) => void;
}

/** Changes answers of the upstream with status 200. They are read whole before the client gets any of them. */
export interface Transformer {
  /** Whether it is for the answer to a request that was permitted. */
  readonly isFor: (permitted: Allowed) => boolean;
  /**
   * @param body as the upstream wrote it, without a content coding
   * @returns what the client gets in its place
   * @throws when it cannot read the body; the client gets 502 then
   */
  readonly transform: (body: Buffer, permitted: Allowed) => Buffer;
}

// Bytes. The configuration of a recorder with a hundred cameras has less than one MiB.
const longestAnswer = 8_388_608;

/** Headers that would make an upstream answer with a part, with nothing, or in a content coding. */
const choosesForm = /^(?:accept-encoding|range|if-.*)$/i;

/** @returns the header lines of a request whose answer is read whole */
export function forWholeAnswer(headers: RawHeaders): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!choosesForm.test(headers[i] as string)) kept.push(headers[i] as string, headers[i + 1] as string);
  return kept;
}

/** Headers that are true only of the upstream's own body. */
const ofBody = [
  'content-length',
  'content-md5',
  'content-range',
  'accept-ranges',
  'digest',
  'etag',
  'last-modified',
];

/** @returns the header lines of an answer that gets another body */
export function withoutBody(headers: RawHeaders): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!ofBody.some((name) => isNamed(headers[i] as string, name)))
      kept.push(headers[i] as string, headers[i + 1] as string);
  return kept;
}

/**
 * Reads an answer whole, and writes its transformed body. Answers with another status than 200 get no body, nor does the answer to HEAD,
 * for which the upstream is asked by GET.
 */
export class WholeAnswer implements Dispatcher.DispatchHandler {
  readonly #to: ClientAnswer;
  readonly #transform: (body: Buffer) => Buffer;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #status = 0;
  #headers: RawHeaders = [];
  #hasLeft: boolean;
  #isOver = false;

  constructor(to: ClientAnswer, transform: (body: Buffer) => Buffer) {
    this.#to = to;
    this.#transform = transform;
    this.#hasLeft = to.response.closed;
  }

  onRequestStart(controller: Controller): void {
    const leave = () => {
      if (this.#isOver) return;
      this.#hasLeft = true;
      controller.abort(new Error('the client has left'));
    };
    if (this.#hasLeft) leave();
    else this.#to.response.once('close', leave);
  }

  onResponseStart(controller: Controller, status: number): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = this.#to.answerHeaders(
      (controller.rawHeaders as readonly Buffer[]).map((text) => text.toString('latin1')),
    );
    const coding = firstValue(this.#headers, 'content-encoding');
    if (coding !== undefined && coding.toLowerCase() !== 'identity')
      controller.abort(new Error('the answer is in a content coding that was not asked for'));
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#status !== 200) return;
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > longestAnswer) controller.abort(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.#isOver = true;
    const isRead = this.#status === 200;
    let body: Buffer = Buffer.alloc(0);
    try {
      if (isRead) body = this.#transform(Buffer.concat(this.#chunks));
    } catch (cause) {
      this.#to.reject(new AppError('upstream_unavailable', { cause }));
      return;
    }
    this.#to.response.writeHead(this.#status, [
      ...withoutBody(this.#headers),
      ...this.#to.added,
      'content-length',
      String(body.length),
    ]);
    this.#to.response.end(body);
    this.#to.resolve();
  }

  onResponseError(_: Controller | undefined, cause: Error): void {
    this.#isOver = true;
    const isOurs = cause instanceof AppError;
    if (!this.#hasLeft && !isOurs) this.#to.onFailure();
    this.#to.reject(isOurs ? cause : new AppError('upstream_unavailable', { cause }));
  }
}

/** Removes secrets and other cameras from the recorder's responses. */
export const changedAnswers: Transformer = {
  isFor: (permitted) => changeOf(permitted) !== undefined,
  transform: (body, permitted) => {
    const change = changeOf(permitted)?.change;
    return change === undefined ? body : Buffer.from(change(body.toString(), readerOf(permitted)));
  },
};

function changeOf(permitted: Allowed) {
  return answerChange(permitted.path ?? '', readerOf(permitted));
}

function readerOf({ identity, grant, may }: Allowed): AnswerReader {
  return { role: identity?.role ?? '', grant, may };
}
