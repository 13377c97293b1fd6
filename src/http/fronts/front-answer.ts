import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import { identityHeaders, toHeaderValue, type IdentityHeaders } from '../../policy/identity-headers.ts';
import { refusalAnswer, type Recipient } from './refusal.ts';
import type { Identity } from '../../policy/identity.ts';

/** An answer to a front; header lines as name, value, name, value …. */
export interface FrontAnswer {
  readonly status: number;
  readonly headers: string[];
  /** Omit for an empty one. */
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

/**
 * The answer to a front that passes any refusal on to the client unchanged: Traefik, Caddy, Envoy.
 * @param recipient the client; called only if the answer is for it
 */
export function answerToClient(result: AuthorizationResult, recipient: () => Recipient): FrontAnswer {
  const { id, decision } = result;
  if (decision.outcome === 'allow') return { status: 200, headers: allowedLines(result) };
  const { status, headers, body } = refusalAnswer(decision, recipient(), id);
  const lines = [...Object.entries(headers), ['content-length', String(Buffer.byteLength(body))]].flat();
  // These fronts expect this status for a redirect to the login.
  return { status: status === 303 ? 302 : status, headers: lines, body };
}

/** Header values by identity: most requests come from one that has asked before. */
const known = new WeakMap<Identity, IdentityHeaders>();

const noOne = headersOf(undefined);

/** @returns the identity headers for the upstream; all fields are present, unknown ones empty */
export function identityOf(identity: Identity | undefined): IdentityHeaders {
  if (identity === undefined) return noOne;
  const found = known.get(identity);
  if (found !== undefined) return found;
  const headers = headersOf(identity);
  known.set(identity, headers);
  return headers;
}

function headersOf(identity: Identity | undefined): IdentityHeaders {
  return {
    'remote-user': toHeaderValue(identity?.user ?? ''),
    'remote-role': toHeaderValue(identity?.role ?? ''),
    'remote-groups': toHeaderValue(identity?.groups ?? ''),
    'remote-email': toHeaderValue(identity?.email ?? ''),
    'remote-name': toHeaderValue(identity?.name ?? ''),
  };
}
