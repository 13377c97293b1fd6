import { canonicalUri, type CanonicalUri } from './canonical-uri.ts';
import type { RawHeaders } from './raw-headers.ts';
import type { Reason } from './reasons.ts';

/** The authenticated entry point (8971) or the internal one (5000): decided by the listener, never by a header. */
export type EntryPoint = 'authenticated' | 'internal';

/** Where a request comes from: the embedded front, another one by its adapter in `fronts/`, or the relay for another one. */
export type Front = 'embedded' | 'relay' | 'auth-request' | 'forward-auth' | 'ext-authz';

/** Whether the gate itself passes on permitted requests, so that it sees all of a request and its answer. */
export function passesOnItself(front: Front | undefined): boolean {
  return front === 'embedded' || front === 'relay';
}

/** Why a request cannot come from a correctly configured front. */
export interface FrontFault {
  readonly reason: Reason;
  /** The header that is wrong, lower-case. */
  readonly header: string;
}

/** A client's request from any front: created once, by its adapter, and read by everything else. */
export interface RequestContext {
  readonly entryPoint: EntryPoint;
  /** Absent in a request to the gate itself that came through another front. */
  readonly front?: Front | undefined;
  /** The request is refused for this reason, regardless of its content. */
  readonly fault?: FrontFault | undefined;
  /** Whether it is for media of a share: then its only identity is the link, which is valid for nothing else. */
  isSharedMedia?: boolean | undefined;
  /**
   * Whether a front that only asks passes on the target from the answer instead of the client's: decided by the path at which it
   * asks, never by a header.
   */
  readonly narrows?: boolean | undefined;
  /** Method of the client's request; undefined if a front did not send it. */
  readonly method: string | undefined;
  /** Request target of the client's request as it was sent, origin-form; undefined if a front did not send it. */
  readonly uri: string | undefined;
  /** Header lines of the client's request, in order. */
  readonly headers: RawHeaders;
  /**
   * The body. `to-come`: the caller reads it if the decision depends on it, and asks again. Undefined: no one reads it, as with a
   * front that only asks.
   */
  readonly body?: Uint8Array | 'to-come' | undefined;
  /** Address of the connection's other end. Absent for a front, whose X-Forwarded-For names the client. */
  readonly peer?: string | undefined;
  /** The host that the client asked for; used only to compare it with Origin. */
  readonly host: string | undefined;
  /** Whether the client's connection is TLS. */
  readonly secure: boolean;
  /** The client's address, if the listener has it. */
  readonly address?: string | undefined;
  /** Result of `canonicalOf`, with its URI: a changed copy of a request may have another. */
  read?: { readonly uri: string; readonly canonical: ReadUri } | undefined;
}

type ReadUri = CanonicalUri | { readonly refused: Reason };

/** @returns the canonical URI, or why the URI is refused; undefined if a front did not send the URI */
export function canonicalOf(context: RequestContext): ReadUri | undefined {
  const { uri, read } = context;
  if (uri === undefined) return undefined;
  if (read?.uri === uri) return read.canonical;
  const canonical = canonicalUri(uri);
  context.read = { uri, canonical };
  return canonical;
}
