import { LRUCache } from 'lru-cache';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Edge } from '../policy/verdict.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Authoriser, Decision } from './authoriser.ts';
import type { BriefDecision } from './decision-log.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { loginUrlOf } from './gateway-environment.ts';
import { accessRequestOfNginx, decisionPlace, nginxAnswer, type NginxAnswer } from './nginx-dialect.ts';

/** A verdict that allowed, for as long as the configuration and the store stay as they are. */
interface RememberedVerdict {
  readonly decision: BriefDecision;
  readonly answer: NginxAnswer;
  /** Seconds since the epoch: a clock that went back asks again. */
  readonly since: number;
  /** Seconds since the epoch: then the session is refreshed, or over. */
  readonly until: number;
}

export interface FastPathOptions {
  readonly edge: Edge;
  readonly dependencies: Pick<GatewayDependencies, 'inForce' | 'sessions'>;
  readonly authoriser: Pick<Authoriser, 'authorise' | 'authoriseAtOnce' | 'record'>;
  /** While it stays the same, users and revocations have not changed. */
  readonly storeVersion: () => number;
  /** Seconds since the epoch. */
  readonly now: () => number;
  /** Bytes that verdicts may take, roughly. 0: everything goes to the other listener. */
  readonly bytes: number;
}

// What an entry takes besides its key and its answer, on the high side: the heap grew by 0.7 to 1 byte for each accounted.
const entryBytes = 1_500;

// When it is full: what is asked for again and again gets in soon, and what is asked for once pushes out little.
const admittedWhenFull = 1 / 16;

// Nobody's usual request is longer, and a few long ones would push out many.
const longestKey = 8_192;

/**
 * Answers the question of nginx without Hono, which would take more time than the decision (docs/performance.md). There
 * is one pipeline: what is not remembered is decided by it. Whatever is no such question goes to the other listener.
 *
 * What is remembered is found by every header line of the request, so that it cannot be taken for another one. It is void
 * as soon as the configuration, the store or the time is another. Only what was allowed to somebody is remembered: who
 * has no session can push nobody's out.
 */
export function createFastPath(other: RequestListener, options: FastPathOptions): RequestListener {
  const { edge, dependencies, authoriser, storeVersion, now, bytes } = options;
  const { inForce, sessions } = dependencies;
  if (bytes === 0) return other;
  const remembered = new LRUCache<string, RememberedVerdict>({ maxSize: bytes });

  let settings = inForce();
  let version = storeVersion();
  /** Nothing that was made of another configuration or another store stays. */
  const forgetWhatIsVoid = () => {
    if (settings === inForce() && version === storeVersion()) return;
    settings = inForce();
    version = storeVersion();
    remembered.clear();
  };

  let turn = 0;
  const isAdmitted = (key: string, size: number) => {
    if (remembered.has(key) || remembered.calculatedSize + size <= bytes) return true;
    turn = (turn + admittedWhenFull) % 1;
    return turn === 0;
  };

  const render = (decision: Decision, incoming: IncomingMessage): NginxAnswer => {
    const isRefused = decision.verdict.kind === 'unauthenticated';
    const asked = { incoming, edge, listener: 'forward-auth', tls: false } as const;
    return nginxAnswer(decision, isRefused ? loginUrlOf(asked, inForce()) : undefined);
  };

  const decide = (incoming: IncomingMessage, key: string): NginxAnswer | Promise<NginxAnswer> => {
    const since = now();
    const request = accessRequestOfNginx(incoming.rawHeaders, edge);
    const decided = authoriser.authoriseAtOnce(request);
    if (decided === undefined) {
      return authoriser.authorise(request).then((decision) => render(decision, incoming));
    }
    const { verdict, judgement, session, brief } = decided;
    const answer = render(decided, incoming);
    const isKept =
      verdict.kind === 'allow' && verdict.subject !== undefined && judgement.askedRecorder !== true;
    if (isKept && key.length <= longestKey) {
      const size = 2 * key.length + answer.headers.join('').length + entryBytes;
      const until = endOf(session, verdict.subject.source === 'session', sessions);
      if (isAdmitted(key, size)) remembered.set(key, { decision: brief, answer, since, until }, { size });
    }
    return answer;
  };

  const answerOf = (incoming: IncomingMessage): NginxAnswer | Promise<NginxAnswer> => {
    const key = incoming.rawHeaders.join('\n');
    forgetWhatIsVoid();
    const found = remembered.get(key);
    const at = now();
    if (found === undefined || at < found.since || at >= found.until) return decide(incoming, key);
    // The lines are written out before anybody else gets them.
    found.answer.headers[decisionPlace] = authoriser.record(found.decision, at);
    return found.answer;
  };

  return (incoming, outgoing) => {
    const isQuestion = incoming.url === '/auth' && (incoming.method === 'GET' || incoming.method === 'HEAD');
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

/** @returns seconds since the epoch; without a session nothing ends by itself */
function endOf(session: Session | undefined, isCookie: boolean, sessions: Sessions): number {
  if (session === undefined) return Number.POSITIVE_INFINITY;
  const { expiresAt } = session.claims;
  return isCookie ? Math.min(expiresAt, sessions.dueAt(session)) : expiresAt;
}
