import { headerValues, isNamed, type RawHeaders } from '../policy/raw-headers.ts';
import type { Edge, Subject } from '../policy/verdict.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { createTextCache, type TextCache } from '../text-cache.ts';
import type { DecisionAtOnce } from './authoriser.ts';
import type { BriefDecision } from './decision-log.ts';
import type { GatewayDependencies } from './dependencies.ts';
import type { NginxAnswer } from './nginx-dialect.ts';
import { recallSession } from './session-identity.ts';
import { isSightingDue, noteSighting } from './session-sightings.ts';

/** A verdict that allowed, for as long as the configuration and the store stay as they are. */
interface RememberedVerdict {
  readonly decision: BriefDecision;
  readonly answer: NginxAnswer;
}

/**
 * The verdicts of the questions of nginx. What is remembered is found by every header line of a question, so that it
 * cannot be taken for another one, and void as soon as the configuration, the store or the time is another. Only what was
 * allowed to somebody is remembered: who has no session can push nobody's out. What was allowed to an API token is not: each
 * use of one is noted, and held against its owner.
 */
export interface VerdictMemory {
  /** @param at seconds since the epoch */
  recall(lines: RawHeaders, at: number): RememberedVerdict | undefined;
  /** @param at when it was decided, in seconds since the epoch */
  remember(lines: RawHeaders, decided: DecisionAtOnce, answer: NginxAnswer, at: number): void;
}

export interface VerdictMemoryOptions {
  readonly edge: Edge;
  readonly dependencies: Pick<
    GatewayDependencies,
    'inForce' | 'sessions' | 'cookie' | 'sessionRegistry' | 'apiTokens' | 'tallies' | 'now'
  >;
  /** While it stays the same, users and revocations have not changed. */
  readonly storeVersion: () => number;
  /** Bytes that verdicts may take, roughly. */
  readonly bytes: number;
}

/** A question that was asked word for word. */
interface RememberedQuestion {
  readonly verdict: RememberedVerdict;
  /** Who asked, when a token said so. */
  readonly session: Session | undefined;
  /** Seconds since the epoch: a clock that went back asks again. */
  readonly since: number;
  /** Seconds since the epoch: then the session is refreshed, or over. */
  readonly until: number;
}

// What entries take besides their texts, on the high side.
const questionBytes = 500;
const verdictBytes = 1_500;

// Nobody's usual question is longer, and a few long ones would push out many.
const longestQuestion = 8_192;

/**
 * There are two ways to a verdict: the question word for word, and the question with the user of its session in place of
 * the token. The second serves every session of a user: without it, 100,000 sessions got a third of the answers that 10
 * got, and with it three fifths.
 */
export function createVerdictMemory(options: VerdictMemoryOptions): VerdictMemory {
  const { edge, dependencies, storeVersion, bytes } = options;
  const { inForce, sessions } = dependencies;
  const questions = createTextCache<RememberedQuestion>(bytes / 2);
  const verdicts = createTextCache<RememberedVerdict>(bytes / 2);
  const { questions: questionTally, users: userTally } = dependencies.tallies.caches;
  questionTally.held.set(edge, questions);
  userTally.held.set(edge, verdicts);
  const keepQuestion = admitting(questions);
  const keepVerdict = admitting(verdicts);

  let settings = inForce();
  let version = storeVersion();
  /** Nothing that was made of another configuration or another store stays. */
  const forgetWhatIsVoid = () => {
    if (settings === inForce() && version === storeVersion()) return;
    settings = inForce();
    version = storeVersion();
    questions.clear();
    verdicts.clear();
  };

  /** What is answered from memory is seen too. */
  const see = (session: Session | undefined, lines: RawHeaders, at: number) => {
    if (session !== undefined && isSightingDue(session, at))
      noteSighting(session, { headers: lines }, at, dependencies);
  };

  const recallForUser = (lines: RawHeaders, question: string, uri: string, at: number) => {
    if (edge === 'internal' || settings.mode === 'proxy') return undefined;
    const known = recallSession(lines, dependencies, settings.rules.customRoles);
    if (known === undefined || 'refused' in known || known.session === undefined) return undefined;
    const until = endOf(known.session, known.subject, sessions);
    if (at >= until) return undefined;
    const verdict = verdicts.get(forUser(lines, known.subject), uri, known.subject.user);
    if (verdict === undefined) {
      userTally.misses += 1;
      return undefined;
    }
    userTally.hits += 1;
    see(known.session, lines, at);
    if (question.length <= longestQuestion)
      keepQuestion(question, { verdict, session: known.session, since: at, until }, questionBytes, uri);
    return verdict;
  };

  return {
    recall: (lines, at) => {
      forgetWhatIsVoid();
      const question = lines.join('\n');
      const uri = uriOf(lines);
      const asked = questions.get(question, uri);
      if (asked !== undefined && asked.since <= at && at < asked.until) {
        questionTally.hits += 1;
        see(asked.session, lines, at);
        return asked.verdict;
      }
      questionTally.misses += 1;
      return recallForUser(lines, question, uri, at);
    },

    remember: (lines, { verdict: { kind, subject }, judgement, session, brief }, answer, at) => {
      if (kind !== 'allow' || subject === undefined || judgement.askedRecorder === true) return;
      if (subject.source === 'token') return;
      const question = lines.join('\n');
      if (question.length > longestQuestion) return;
      const verdict = { decision: brief, answer };
      const uri = uriOf(lines);
      const size = verdictBytes + answer.headers.join('').length;
      const until = endOf(session, subject, sessions);
      // Without a session the question alone leads to the verdict, and has to pay for it.
      keepQuestion(
        question,
        { verdict, session, since: at, until },
        session === undefined ? size : questionBytes,
        uri,
      );
      if (session !== undefined) keepVerdict(forUser(lines, subject), verdict, size, uri, subject.user);
    },
  };
}

// When it is full: what is asked for again and again gets in soon, and what is asked for once pushes out little.
const admittedWhenFull = 1 / 16;

function admitting<Value>(cache: TextCache<Value>): TextCache<Value>['set'] {
  let turn = 0;
  return (text, value, bytes, ...salient) => {
    if (cache.isFullFor(text, bytes) && cache.get(text, ...salient) === undefined) {
      turn = (turn + admittedWhenFull) % 1;
      if (turn !== 0) return;
    }
    cache.set(text, value, bytes, ...salient);
  };
}

function uriOf(lines: RawHeaders): string {
  return headerValues(lines, 'x-original-url')[0] ?? '';
}

/** The question of whoever it was, as one of the user's: the lines of the token are emptied. */
function forUser(lines: RawHeaders, { user, role, source }: Subject): string {
  const carrier = source === 'bearer' ? 'authorization' : 'cookie';
  const texts = lines.slice();
  for (let i = 0; i + 1 < lines.length; i += 2) {
    if (isNamed(lines[i] as string, carrier)) texts[i + 1] = '';
  }
  texts.push(user, role, source);
  return texts.join('\n');
}

/** @returns seconds since the epoch; without a session nothing ends by itself */
function endOf(session: Session | undefined, { source }: Subject, sessions: Sessions): number {
  if (session === undefined) return Number.POSITIVE_INFINITY;
  const { expiresAt } = session.claims;
  return source === 'session' ? Math.min(expiresAt, sessions.dueAt(session)) : expiresAt;
}
