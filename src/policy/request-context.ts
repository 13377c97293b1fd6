import { canonicalUri, type CanonicalUri } from './canonical-uri.ts';
import type { RawHeaders } from './raw-headers.ts';
import type { Reason } from './reasons.ts';

/** The authenticated entry point (8971) or the internal one (5000): a fact of the listener, never of a header. */
export type EntryPoint = 'authenticated' | 'internal';

/** What asks: the embedded front, another one by one of the adapters in `fronts/`, or the relay for another one. */
export type Front = 'embedded' | 'relay' | 'auth-request' | 'forward-auth' | 'ext-authz';

/** Whether it is the gate itself that passes on what is permitted, so that it sees all of a request and its answer. */
export function passesOnItself(front: Front | undefined): boolean {
  return front === 'embedded' || front === 'relay';
}

/** Why a request cannot be what a front sends. */
export interface FrontFault {
  readonly reason: Reason;
  /** The header that is wrong, lower-case. */
  readonly header: string;
}

/** A client's request, whichever front asks about it: made once, by the adapter that took it, and read by everything behind. */
export interface RequestContext {
  readonly entryPoint: EntryPoint;
  /** Undefined for a request to the gate itself that came through another front. */
  readonly front?: Front | undefined;
  /** The request is refused for it, whatever else it says. */
  readonly fault?: FrontFault | undefined;
  /** Whether it is for media of a share: then its link alone is asked who sends it, and means nothing anywhere else. */
  isSharedMedia?: boolean | undefined;
  /**
   * Whether a front that only asks passes on the request target that the answer gives, in place of the client's: by the path at
   * which it asks, never by a header.
   */
  readonly narrows?: boolean | undefined;
  /** Method of the client's request; undefined when a front did not say. */
  readonly method: string | undefined;
  /** Request target of the client's request as it was sent, origin-form; undefined when a front did not say. */
  readonly uri: string | undefined;
  /** Header lines of the client's request, in order. */
  readonly headers: RawHeaders;
  /**
   * What was sent with it. `to-come`: whoever asks reads it, when the decision depends on it, and asks again. Undefined: nobody
   * reads it, as where a front asks.
   */
  readonly body?: Uint8Array | 'to-come' | undefined;
  /** Address of the connection's other end; undefined: a front, whose X-Forwarded-For says who the client is. */
  readonly peer?: string | undefined;
  /** The host that the client asked for; it decides nothing but whether an Origin is another one. */
  readonly host: string | undefined;
  /** Whether the client's connection is TLS. */
  readonly secure: boolean;
  /** The client's address, where the listener knows it. */
  readonly address?: string | undefined;
  /** What `canonicalOf` has read, and of which URI: a changed copy of a request may have another. */
  read?: { readonly uri: string; readonly canonical: ReadUri } | undefined;
}

type ReadUri = CanonicalUri | { readonly refused: Reason };

/** @returns the canonical URI, or why there is none; undefined when a front did not say the URI */
export function canonicalOf(context: RequestContext): ReadUri | undefined {
  const { uri, read } = context;
  if (uri === undefined) return undefined;
  if (read?.uri === uri) return read.canonical;
  const canonical = canonicalUri(uri);
  context.read = { uri, canonical };
  return canonical;
}
