import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Authoriser, Decision } from './authoriser.ts';
import { loginUrlOf } from './gateway-environment.ts';
import {
  accessRequestOfNginx,
  decisionPlace,
  isAuthRequest,
  nginxAnswer,
  type NginxAnswer,
} from './nginx-dialect.ts';
import { createVerdictMemory, type VerdictMemoryOptions } from './verdict-memory.ts';

export interface FastPathOptions extends VerdictMemoryOptions {
  readonly authoriser: Pick<Authoriser, 'authorise' | 'authoriseAtOnce' | 'record'>;
  /** Bytes that verdicts may take, roughly. 0: everything goes to the other listener. */
  readonly bytes: number;
}

/**
 * Answers the question of nginx without Hono, which would take more time than the decision (docs/performance.md). There
 * is one pipeline: what is not remembered is decided by it. Whatever is no such question goes to the other listener.
 */
export function createFastPath(other: RequestListener, options: FastPathOptions): RequestListener {
  const { edge, dependencies, authoriser, bytes } = options;
  const { now } = dependencies;
  if (bytes === 0) return other;
  const memory = createVerdictMemory(options);
  const tally = dependencies.tallies.decisions;

  const render = (decision: Decision, incoming: IncomingMessage): NginxAnswer => {
    const isRefused = decision.verdict.kind === 'unauthenticated';
    const asked = { incoming, edge, listener: 'forward-auth', tls: false } as const;
    return nginxAnswer(decision, isRefused ? loginUrlOf(asked, dependencies.inForce()) : undefined);
  };

  const decide = (incoming: IncomingMessage, at: number): NginxAnswer | Promise<NginxAnswer> => {
    const request = accessRequestOfNginx(incoming.rawHeaders, edge);
    const decided = authoriser.authoriseAtOnce(request);
    if (decided === undefined) {
      return authoriser.authorise(request).then((decision) => render(decision, incoming));
    }
    const answer = render(decided, incoming);
    memory.remember(incoming.rawHeaders, decided, answer, at);
    return answer;
  };

  const answerOf = (incoming: IncomingMessage): NginxAnswer | Promise<NginxAnswer> => {
    const began = tally.beginRemembered();
    const at = now();
    const found = memory.recall(incoming.rawHeaders, at);
    if (found === undefined) return decide(incoming, at);
    // The lines are written out before anybody else gets them.
    found.answer.headers[decisionPlace] = authoriser.record(found.decision, at);
    const { request, verdict } = found.decision;
    tally.countRemembered(request.front, verdict.kind, verdict.reason, began);
    return found.answer;
  };

  return (incoming, outgoing) => {
    const isQuestion =
      isAuthRequest(incoming.url) && (incoming.method === 'GET' || incoming.method === 'HEAD');
    if (!isQuestion) {
      other(incoming, outgoing);
      return;
    }
    const failed = () => send(outgoing, { status: 403, headers: ['content-length', '0'] });
    try {
      const answer = answerOf(incoming);
      if (answer instanceof Promise) answer.then((later) => send(outgoing, later)).catch(failed);
      else send(outgoing, answer);
    } catch {
      // The store cannot be read: the other listener finds that out too, and says so.
      other(incoming, outgoing);
    }
  };
}

function send(outgoing: ServerResponse, { status, headers }: NginxAnswer): void {
  outgoing.writeHead(status, headers);
  outgoing.end();
}
