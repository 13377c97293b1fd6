import type { Allowed, Decision } from '../../policy/decision.ts';
import type { Viewed } from '../../policy/evaluate/viewed.ts';
import { endOf } from '../../policy/evaluate/revalidation.ts';

/** The part of a session that a stream depends on. */
export interface StreamSession {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly claims: { readonly sessionId: string };
}

/** A later decision about an open stream. */
export interface DecidedAgain {
  readonly decision: Decision;
  readonly session?: StreamSession | undefined;
}

/** One state of everything that decisions depend on; replaced when a change is noticed. */
export interface Mark {
  /** Up to when the state is known to be current; milliseconds of a monotonic clock. */
  readonly knownAt: number;
}

/** A permitted request that is still open: a WebSocket, or an answer that is being sent. */
export interface Stream {
  /** Id of the decision that permitted it. */
  readonly id: string;
  readonly kind: 'websocket' | 'answer';
  /** The mark of the open streams, taken before that decision. */
  readonly mark: Mark;
  readonly permitted: Allowed;
  readonly session?: StreamSession | undefined;
  /** The cameras that it shows. Absent when it has no pictures, or viewing is not recorded. */
  readonly viewed?: Viewed | undefined;
  /** @returns the client's address */
  readonly address: () => string;
  /** @returns `User-Agent` of the client */
  readonly agent: () => string | undefined;
  /**
   * Decides about the same request again, without recording anything.
   * @param session in which it was last permitted
   */
  readonly decideAgain: (session: StreamSession | undefined) => Promise<DecidedAgain>;
  /** Ends it immediately, even in the middle of an answer. */
  readonly cut: () => void;
}

/** A stream that is open. */
export class OpenStream {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly #stream: Stream;
  readonly #open: Set<OpenStream>;
  #permitted: Allowed;
  #session: StreamSession | undefined;
  #isCut = false;
  #askingAs: string | undefined;
  /** The state by which it was last decided. */
  mark: Mark;
  /** When that decision expires if nothing changes, in milliseconds since the epoch. */
  endsAt: number;
  /** Called after each decision by which it continues. */
  onGoOn: (() => void) | undefined;
  /** Deadline for the decision that is under way, after which it is not permitted anymore; milliseconds of a monotonic clock. */
  decideBy: number | undefined;

  /** @param open holds it until it is closed */
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

  get viewed(): Viewed | undefined {
    return this.#stream.viewed;
  }

  get agent(): string | undefined {
    return this.#stream.agent();
  }

  /** The last decision. */
  get permitted(): Allowed {
    return this.#permitted;
  }

  get sessionId(): string | undefined {
    return this.#session?.claims.sessionId;
  }

  get isOpen(): boolean {
    return this.#open.has(this);
  }

  /** Whether it was ended because it was not permitted anymore. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** The session or API token that the store is asked about to decide again. Absent when there is neither. */
  get askingAs(): string | undefined {
    return (this.#askingAs ??= this.sessionId ?? this.#permitted.identity?.token?.id);
  }

  decideAgain(): Promise<DecidedAgain> {
    return this.#stream.decideAgain(this.#session);
  }

  /** @param mark taken before the decision */
  goOn(permitted: Allowed, session: StreamSession | undefined, mark: Mark): void {
    this.#permitted = permitted;
    this.#session = session;
    this.mark = mark;
    this.endsAt = endOf(permitted, session);
    this.onGoOn?.();
  }

  cut(): void {
    this.#isCut = true;
    this.#open.delete(this);
    this.#stream.cut();
  }

  /** It has ended by itself. */
  close(): void {
    this.#open.delete(this);
  }
}
