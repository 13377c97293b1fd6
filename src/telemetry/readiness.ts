import { atMostEvery } from './at-most-every.ts';

/** Something that must be there, or at least should. */
export interface Check {
  readonly name: string;
  /** Without it nothing can be answered: whoever sends requests here should send them elsewhere. */
  readonly isRequired: boolean;
  /** Throws, or rejects, when it is not there. */
  readonly look: () => unknown;
}

/** What a check found; causes go to the log. */
export type Finding = 'ok' | 'failed';

export interface Readiness {
  /** `degraded`: something is missing that requests can do without. */
  readonly status: 'ready' | 'degraded' | 'unready';
  readonly checks: Readonly<Record<string, Finding>>;
}

/** Milliseconds for which an outcome is remembered: a flood of requests is answered by one look. */
export const remembered = 1_000;

/**
 * @param onChange told when a check begins to fail, with the cause, and when it succeeds again, without
 * @param elapsed milliseconds that never go back
 */
export function createReadiness(
  checks: readonly Check[],
  onChange: (name: string, finding: Finding, cause?: unknown) => void,
  elapsed: () => number = () => performance.now(),
): () => Promise<Readiness> {
  const known = new Map<string, Finding>();
  const settle = (name: string, finding: Finding, cause?: unknown) => {
    if (finding !== (known.get(name) ?? 'ok')) onChange(name, finding, cause);
    known.set(name, finding);
    return finding;
  };
  const lookAt = async ({ name, look }: Check): Promise<Finding> => {
    try {
      await look();
      return settle(name, 'ok');
    } catch (error) {
      return settle(name, 'failed', error);
    }
  };
  const lookAtAll = async (): Promise<Readiness> => {
    const found = await Promise.all(checks.map(async (check) => ({ check, finding: await lookAt(check) })));
    const failed = found.filter(({ finding }) => finding === 'failed');
    const isUnready = failed.some(({ check }) => check.isRequired);
    return {
      status: isUnready ? 'unready' : failed.length > 0 ? 'degraded' : 'ready',
      checks: Object.fromEntries(found.map(({ check, finding }) => [check.name, finding])),
    };
  };
  return atMostEvery(remembered, lookAtAll, elapsed);
}
