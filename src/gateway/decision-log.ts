import { randomBytes } from 'node:crypto';
import type { Judgement } from '../policy/judge.ts';
import type { Target } from '../policy/target.ts';
import type { AccessRequest, Verdict } from '../policy/verdict.ts';
import type { ExplainedRequest } from './explain.ts';

/** A decision as it is kept for whoever asks why. */
interface KeptDecision extends Judgement {
  readonly id: string;
  readonly at: Date;
  readonly request: ExplainedRequest;
}

/** The last decisions, by id. */
export interface DecisionLog {
  /** @returns the id of the decision, unique to this run of the program */
  keep(request: AccessRequest, judgement: Judgement): string;
  find(id: string): KeptDecision | undefined;
}

export function createDecisionLog(now: () => Date, size = 10_000): DecisionLog {
  // A ring: what is kept costs the same from the first decision to the billionth.
  const ring: Array<KeptDecision | undefined> = Array.from({ length: size });
  const run = randomBytes(4).toString('hex');
  let count = 0;
  return {
    keep: ({ edge, method, uri }, judgement) => {
      const id = `${run}-${count.toString(36)}`;
      ring[count % size] = {
        id,
        at: now(),
        request: { edge, method, uri: brief(uri?.split('?', 1)[0]) },
        verdict: briefVerdict(judgement.verdict),
        path: brief(judgement.path),
        row: judgement.row,
        target: briefTarget(judgement.target),
      };
      count += 1;
      return id;
    },
    find: (id) => {
      const [, number = ''] = id.split('-');
      const kept = ring[Number.parseInt(number, 36) % size];
      return kept?.id === id ? kept : undefined;
    },
  };
}

const longestText = 512;
const mostNames = 20;

/** What is kept of a long text is a copy: a part of it would hold the whole in memory. */
function brief<T extends string | undefined>(text: T): T {
  if (text === undefined || text.length <= longestText) return text;
  return Buffer.from(text.slice(0, longestText)).toString() as T;
}

function briefVerdict(verdict: Verdict): Verdict {
  const { subject } = verdict;
  return subject === undefined
    ? verdict
    : { ...verdict, subject: { ...subject, groups: brief(subject.groups) } };
}

function briefTarget(target: Target | undefined): Target | undefined {
  if (target?.kind === 'cameras')
    return { ...target, cameras: target.cameras.slice(0, mostNames).map(brief) };
  if (target?.kind === 'recorded') return { ...target, ids: target.ids.slice(0, mostNames).map(brief) };
  return target;
}
