import { randomBytes } from 'node:crypto';
import type { Judgement } from '../policy/judge.ts';
import type { Target } from '../policy/target.ts';
import type { AccessRequest, Verdict } from '../policy/verdict.ts';
import type { ExplainedRequest } from './explain.ts';

/** What is kept of a decision, for whoever asks why. */
export interface BriefDecision extends Judgement {
  readonly request: ExplainedRequest;
}

interface KeptDecision extends BriefDecision {
  readonly id: string;
  readonly at: Date;
}

/** The last decisions, by id. */
export interface DecisionLog {
  /**
   * @param at seconds since the epoch
   * @returns the id of the decision, unique to this run of the program
   */
  keep(decision: BriefDecision, at: number): string;
  find(id: string): KeptDecision | undefined;
}

export function createDecisionLog(size = 10_000): DecisionLog {
  // A ring: what is kept costs the same from the first decision to the billionth, and nothing is allocated for it.
  const decisions: Array<BriefDecision | undefined> = Array.from({ length: size });
  const numbers = new Float64Array(size).fill(-1);
  const times = new Float64Array(size);
  const run = randomBytes(4).toString('hex');
  let count = 0;
  const idOf = (number: number) => `${run}-${number.toString(36)}`;
  return {
    keep: (decision, at) => {
      const number = count;
      const place = number % size;
      decisions[place] = decision;
      numbers[place] = number;
      times[place] = at;
      count += 1;
      return idOf(number);
    },
    find: (id) => {
      const [, number = ''] = id.split('-');
      const place = Number.parseInt(number, 36) % size;
      const decision = decisions[place];
      if (decision === undefined || idOf(numbers[place] ?? -1) !== id) return undefined;
      return { ...decision, id, at: new Date((times[place] ?? 0) * 1000) };
    },
  };
}

/** @returns what is worth keeping, and holds little of the request's memory */
export function briefDecision(
  { edge, front, fault, method, uri }: AccessRequest,
  { verdict, path, row, target }: Judgement,
): BriefDecision {
  const kept = { verdict: briefVerdict(verdict), row };
  const from = { edge, front, fault, method };
  // The path and the names of the target are parts of the URI, and a part of a text holds all of it in memory.
  if (uri === undefined || uri.length <= longestText)
    return { ...kept, request: { ...from, uri: uri?.split('?', 1)[0] }, path, target };
  return {
    ...kept,
    request: { ...from, uri: startOf(uri.split('?', 1)[0]) },
    path: startOf(path),
    target: briefTarget(target),
  };
}

const longestText = 512;
const mostNames = 20;

/** @returns a copy of the start of a text, which may be all that a client could send */
function startOf<T extends string | undefined>(text: T): T {
  if (text === undefined) return text;
  return Buffer.from(text.slice(0, longestText)).toString() as T;
}

function briefVerdict(verdict: Verdict): Verdict {
  const { subject } = verdict;
  if (subject === undefined) return verdict;
  const { groups, email, name } = subject;
  if (groups.length <= longestText && email.length <= longestText && name.length <= longestText)
    return verdict;
  return {
    ...verdict,
    subject: { ...subject, groups: startOf(groups), email: startOf(email), name: startOf(name) },
  };
}

function briefTarget(target: Target | undefined): Target | undefined {
  if (target?.kind === 'cameras')
    return { ...target, cameras: target.cameras.slice(0, mostNames).map(startOf) };
  if (target?.kind === 'recorded') return { ...target, ids: target.ids.slice(0, mostNames).map(startOf) };
  return target;
}
