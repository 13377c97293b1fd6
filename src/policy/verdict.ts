import type { Grant } from './grant.ts';
import type { RawHeaders } from './raw-headers.ts';
import type { Reason } from './reasons.ts';
import type { SubjectToken } from './token-scope.ts';

/** The authenticated edge (8971) or the internal one (5000): a fact of the listener, never of a header. */
export type Edge = 'authenticated' | 'internal';

/** What asks: the embedded front, or another one in one of the dialects. */
export type Front = 'embedded' | 'auth-request' | 'forward-auth' | 'ext-authz';

/** Why a request cannot be what a front asks. */
export interface FrontFault {
  readonly reason: Reason;
  /** The header that is wrong, lower-case. */
  readonly header: string;
}

/** What asks whether a client's request may pass, whichever front it came through. */
export interface AccessRequest {
  readonly edge: Edge;
  /** Undefined for a request to the gate itself that came through another front. */
  readonly front?: Front | undefined;
  /** The request is refused for it, whatever else it says. */
  readonly fault?: FrontFault | undefined;
  /** Method of the client's request; undefined when a front did not say. */
  readonly method: string | undefined;
  /** Request target of the client's request as it was sent, origin-form; undefined when a front did not say. */
  readonly uri: string | undefined;
  /** Header lines of the client's request, in order. */
  readonly headers: RawHeaders;
  /** Address of the connection's other end; undefined: a front, whose X-Forwarded-For says who the client is. */
  readonly peer?: string | undefined;
  /**
   * The host that the client asked for. It decides whether an Origin is another one, and on the internal edge whether the request
   * is refused.
   */
  readonly host: string | undefined;
  /** Whether the client's connection is TLS. */
  readonly secure: boolean;
}

/** Who is asking. Texts are Unicode, not header bytes; an unknown text is empty. */
export interface Subject {
  readonly user: string;
  readonly role: string;
  /** `session`, `bearer`: a session token, by cookie or as bearer; `token`: an API token. */
  readonly source: 'internal' | 'proxy' | 'session' | 'bearer' | 'token';
  readonly groups: string;
  readonly email: string;
  readonly name: string;
  /** The API token, when the source is one. */
  readonly token?: SubjectToken;
}

export interface Allowed {
  readonly kind: 'allow';
  readonly reason: Reason;
  /** Undefined on public paths only. */
  readonly subject: Subject | undefined;
  readonly grant: Grant;
}

export interface Refused {
  readonly kind: 'unauthenticated' | 'forbidden';
  readonly reason: Reason;
  readonly subject: Subject | undefined;
}

/** The outcome of a decision: a value, never an exception. */
export type Verdict = Allowed | Refused;
