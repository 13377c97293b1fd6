import type { AuthorizationResult } from '../authorization/authorize.ts';
import { identityOf } from './identity-of.ts';

/** An answer to a front; header lines as name, value, name, value …. */
export interface FrontAnswer {
  readonly status: number;
  readonly headers: string[];
  /** Undefined: empty. */
  readonly body?: string | undefined;
}

/** Without Content-Length nginx could not keep the connection. */
export const emptyAnswer: readonly string[] = ['content-length', '0', 'cache-control', 'no-store'];

/** The header lines of an answer that allows: whose request it is, and the cookie of a session that was refreshed. */
export function allowedLines({
  id,
  decision: { identity },
  setCookie,
}: AuthorizationResult): Array<[name: string, value: string]> {
  return [
    ['content-length', '0'],
    ['cache-control', 'no-store'],
    ['x-postern-decision', id],
    ...Object.entries(identityOf(identity)),
    ...(setCookie === undefined ? [] : [['set-cookie', setCookie] as [string, string]]),
  ];
}
