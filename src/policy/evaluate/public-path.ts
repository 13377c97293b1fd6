import type { RequestContext } from '../request-context.ts';
import { sentPath } from '../canonical-uri.ts';
import type { AccessRule } from '../access-rule.ts';

/**
 * Whether the path of a request is spelt as the gate reads it, so that a front recognizes it as one of the gate's own too. A
 * front could take another spelling of a public path for the recorder's: it needs an identity.
 */
export function isSpelt(sent: string | undefined, path: string | undefined): boolean {
  return sent !== undefined && sentPath(sent) === path;
}

/**
 * Whether a public path is open without an identity. The gate answers its own requests itself. Another front passes on what is
 * allowed, and should send the gate's paths there without asking: one that asks anyway may have no location for this path, and would
 * pass it on without an identity. nginx checks the identity before it passes anything on (nginx/postern/server.conf), and may ask
 * about a path that the rule names literally: a pattern also matches paths that its locations read as something else.
 */
export function isPublicTo(
  { front }: Pick<RequestContext, 'front'>,
  { path }: Pick<AccessRule, 'path'>,
): boolean {
  if (front === undefined || front === 'embedded') return true;
  return front === 'auth-request' && !path.includes('*');
}
