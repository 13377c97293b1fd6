import type { Allowed, Decision } from '../../policy/decision.ts';
import { endOf } from '../../policy/evaluate/revalidation.ts';

/** What of a session a stream depends on. */
export interface StreamSession {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly claims: { readonly sessionId: string };
}

/** What is decided about a stream at a later moment. */
export interface DecidedAgain {
  readonly decision: Decision;
  readonly session?: StreamSession | undefined;
}

/** A state of everything that decisions are made by, until another one is noticed. */
export interface Mark {
  /** Up to when it is known that nothing else has come in its place; milliseconds that never go back. */
  readonly knownAt: number;
}

/** Something that was permitted and goes on: a WebSocket, or an answer that is being sent. */
export interface Stream {
  /** Of the decision by which it goes on. */
  readonly id: string;
  readonly kind: 'websocket' | 'answer';
  /** What `mark` of the open streams gave before that decision was made. */
  readonly mark: Mark;
  readonly permitted: Allowed;
  readonly session?: StreamSession | undefined;
  /** @returns the client's */
  readonly address: () => string;
  /**
   * The decision of this moment on the same request; nothing is recorded.
   * @param session in which it was permitted last
   */
  readonly decideAgain: (session: StreamSession | undefined) => DecidedAgain | Promise<DecidedAgain>;
  /** Ends it at once, in the middle of whatever is being sent. */
  readonly cut: () => void;
}

/** A stream while it is open. */
export class OpenStream {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly #stream: Stream;
  readonly #open: Set<OpenStream>;
  #permitted: Allowed;
  #session: StreamSession | undefined;
  #isCut = false;
  #askingAs: string | undefined;
  /** By which state of everything it was decided last. */
  mark: Mark;
  /** Until when that decision is good if nothing changes, in milliseconds since the epoch. */
  endsAt: number;
  /** It is being decided again, and is not permitted any more if that takes longer; milliseconds that never go back. */
  decideBy: number | undefined;

  /** @param open gets it, and has it until it is closed */
  constructor(stream: Stream, since: number, open: Set<OpenStream>) {
    this.#stream = stream;
    this.#open = open;
    this.since = since;
    this.#permitted = stream.permitted;
    this.#session = stream.session;
    this.mark = stream.mark;
    this.endsAt = endOf(stream.permitted, stream.session);
    open.add(this);
  }

  get id(): string {
    return this.#stream.id;
  }

  get kind(): Stream['kind'] {
    return this.#stream.kind;
  }

  get address(): string {
    return this.#stream.address();
  }

  /** By the last decision. */
  get permitted(): Allowed {
    return this.#permitted;
  }

  get sessionId(): string | undefined {
    return this.#session?.claims.sessionId;
  }

  get isOpen(): boolean {
    return this.#open.has(this);
  }

  /** Whether it ended since it was not permitted any more. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** What the store is asked for to decide again: the session or the API token; undefined: nothing of both. */
  get askingAs(): string | undefined {
    return (this.#askingAs ??= this.sessionId ?? this.#permitted.identity?.token?.id);
  }

  decideAgain(): DecidedAgain | Promise<DecidedAgain> {
    return this.#stream.decideAgain(this.#session);
  }

  /** @param mark from before the decision */
  goOn(permitted: Allowed, session: StreamSession | undefined, mark: Mark): void {
    this.#permitted = permitted;
    this.#session = session;
    this.mark = mark;
    this.endsAt = endOf(permitted, session);
  }

  cut(): void {
    this.#isCut = true;
    this.#open.delete(this);
    this.#stream.cut();
  }

  /** It has come to its end by itself. */
  close(): void {
    this.#open.delete(this);
  }
}
