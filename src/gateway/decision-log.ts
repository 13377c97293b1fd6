import { randomBytes } from 'node:crypto';
import type { Judgement } from '../policy/judge.ts';
import type { AccessRequest } from '../policy/verdict.ts';

/** A decision as it is kept for whoever asks why. */
interface KeptDecision extends Judgement {
  readonly id: string;
  readonly at: Date;
  readonly request: Pick<AccessRequest, 'edge' | 'method' | 'uri'>;
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
        ...judgement,
        id,
        at: now(),
        request: { edge, method, uri: uri?.split('?', 1)[0] },
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
