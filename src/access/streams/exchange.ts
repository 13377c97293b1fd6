import type { Allowed, Decision } from '../../policy/decision.ts';
import { endOf } from '../../policy/evaluate/revalidation.ts';

/** What of a session an exchange depends on. */
export interface ExchangeSession {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly claims: { readonly sessionId: string };
}

/** What is decided about an exchange at a later moment. */
export interface DecidedAgain {
  readonly decision: Decision;
  readonly session?: ExchangeSession | undefined;
}

/** A state of everything that decisions are made by, until another one is noticed. */
export interface Mark {
  /** Up to when it is known that nothing else has come in its place; milliseconds that never go back. */
  readonly knownAt: number;
}

/** Something that was permitted and goes on: a WebSocket, or an answer that is being sent. */
export interface Exchange {
  /** Of the decision by which it goes on. */
  readonly id: string;
  readonly kind: 'websocket' | 'answer';
  /** What `mark` of the open exchanges gave before that decision was made. */
  readonly mark: Mark;
  readonly permitted: Allowed;
  readonly session?: ExchangeSession | undefined;
  /** @returns the client's */
  readonly address: () => string;
  /**
   * The decision of this moment on the same request; nothing is recorded.
   * @param session in which it was permitted last
   */
  readonly decideAgain: (session: ExchangeSession | undefined) => DecidedAgain | Promise<DecidedAgain>;
  /** Ends it at once, in the middle of whatever is being sent. */
  readonly cut: () => void;
}

/** An exchange while it is open. */
export class OpenExchange {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly #exchange: Exchange;
  readonly #open: Set<OpenExchange>;
  #permitted: Allowed;
  #session: ExchangeSession | undefined;
  #isCut = false;
  #askingAs: string | undefined;
  /** By which state of everything it was decided last. */
  mark: Mark;
  /** Until when that decision is good if nothing changes, in milliseconds since the epoch. */
  endsAt: number;
  /** It is being decided again, and is not permitted any more if that takes longer; milliseconds that never go back. */
  decideBy: number | undefined;

  /** @param open gets it, and has it until it is closed */
  constructor(exchange: Exchange, since: number, open: Set<OpenExchange>) {
    this.#exchange = exchange;
    this.#open = open;
    this.since = since;
    this.#permitted = exchange.permitted;
    this.#session = exchange.session;
    this.mark = exchange.mark;
    this.endsAt = endOf(exchange.permitted, exchange.session);
    open.add(this);
  }

  get id(): string {
    return this.#exchange.id;
  }

  get kind(): Exchange['kind'] {
    return this.#exchange.kind;
  }

  get address(): string {
    return this.#exchange.address();
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
    return this.#exchange.decideAgain(this.#session);
  }

  /** @param mark from before the decision */
  goOn(permitted: Allowed, session: ExchangeSession | undefined, mark: Mark): void {
    this.#permitted = permitted;
    this.#session = session;
    this.mark = mark;
    this.endsAt = endOf(permitted, session);
  }

  cut(): void {
    this.#isCut = true;
    this.#open.delete(this);
    this.#exchange.cut();
  }

  /** It has come to its end by itself. */
  close(): void {
    this.#open.delete(this);
  }
}
