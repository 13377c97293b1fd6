import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import { identityHeaders } from '../../policy/identity-headers.ts';
import { identityOf } from './identity-of.ts';

/** An answer to a front; header lines as name, value, name, value …. */
export interface FrontAnswer {
  readonly status: number;
  readonly headers: string[];
  /** Undefined: empty. */
  readonly body?: string | undefined;
}

/**
 * The header lines of an answer without a body: without Content-Length nginx could not keep the connection open.
 * @param decision the id by which an operator finds the reason
 */
export function emptyLines(decision: string): string[] {
  return ['content-length', '0', 'cache-control', 'no-store', 'x-postern-decision', decision];
}

/**
 * The header lines of an answer that allows: the identity, the cookie of a refreshed session, and the request target to pass on if it
 * differs from the original.
 */
export function allowedLines({ id, decision, setCookie }: AuthorizationResult): string[] {
  const lines = emptyLines(id);
  const values = identityOf(decision.identity);
  for (const name of identityHeaders) lines.push(name, values[name]);
  if (decision.outcome === 'allow' && decision.narrowed !== undefined)
    lines.push('x-postern-target', decision.narrowed);
  if (setCookie !== undefined) lines.push('set-cookie', setCookie);
  return lines;
}
