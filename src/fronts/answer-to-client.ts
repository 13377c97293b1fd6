import type { IncomingMessage } from 'node:http';
import type { AuthorizationResult } from '../authorization/authorize.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import { allowedLines, type FrontAnswer } from './front-answer.ts';
import { asksForPage, refusalAnswer } from './refusal.ts';

/**
 * The answer to a front that passes any refusal on to the client as it is: Traefik, Caddy, Envoy.
 * @param loginUrl where the client may log in; undefined when there is no login of ours
 */
export function answerToClient(
  request: AuthorizationRequest,
  result: AuthorizationResult,
  incoming: IncomingMessage,
  loginUrl: string | undefined,
): FrontAnswer {
  const { id, decision } = result;
  if (decision.outcome === 'allow') return { status: 200, headers: allowedLines(result) };
  const navigatedTo = request.method === 'GET' ? request.uri : undefined;
  const refusal = refusalAnswer(decision, loginUrl, asksForPage(incoming), id, navigatedTo);
  const { status, headers, body } = refusal;
  const lines = [...Object.entries(headers), ['content-length', String(Buffer.byteLength(body))]].flat();
  // What these fronts call a redirect to the login.
  return { status: status === 303 ? 302 : status, headers: lines, body };
}
