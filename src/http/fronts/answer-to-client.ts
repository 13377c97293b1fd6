import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import { allowedLines, type FrontAnswer } from './front-answer.ts';
import { refusalAnswer, type Recipient } from './refusal.ts';

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
