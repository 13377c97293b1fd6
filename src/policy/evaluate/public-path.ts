import type { RequestContext } from '../request-context.ts';
import { sentPath } from '../canonical-uri.ts';
import type { AccessRule } from '../access-rule.ts';

/**
 * Whether the path of a request is spelt as the gate reads it, so that a front that looks for the gate's own paths finds it
 * too. Another spelling of a public path could be the recorder's to a front: it needs an identity.
 */
export function isSpelt(sent: string | undefined, path: string | undefined): boolean {
  return sent !== undefined && sentPath(sent) === path;
}

/**
 * Whether a public path is public to whoever asks. The gate answers its own requests itself. Another front passes on what is
 * allowed, and is to send the gate's paths there unasked: one that asks all the same may have no place for this path, and would
 * pass it on without an identity. nginx looks at the identity before it passes anything on (nginx/postern/server.conf), and may
 * decide about a path that the rule names literally: a pattern also matches what its locations take for something else.
 */
export function isPublicTo(
  { front }: Pick<RequestContext, 'front'>,
  { path }: Pick<AccessRule, 'path'>,
): boolean {
  if (front === undefined || front === 'embedded') return true;
  return front === 'auth-request' && !path.includes('*');
}
