import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import { allowedLines, type FrontAnswer } from './front-answer.ts';
import { refusalAnswer, type Recipient } from './refusal.ts';

/**
 * The answer to a front that passes any refusal on to the client as it is: Traefik, Caddy, Envoy.
 * @param recipient the client; asked for when the answer is for it
 */
export function answerToClient(result: AuthorizationResult, recipient: () => Recipient): FrontAnswer {
  const { id, decision } = result;
  if (decision.outcome === 'allow') return { status: 200, headers: allowedLines(result) };
  const { status, headers, body } = refusalAnswer(decision, recipient(), id);
  const lines = [...Object.entries(headers), ['content-length', String(Buffer.byteLength(body))]].flat();
  // What these fronts call a redirect to the login.
  return { status: status === 303 ? 302 : status, headers: lines, body };
}
