import { atMostEvery } from './pacing.ts';

/** A dependency of the program. */
export interface ReadinessCheck {
  readonly name: string;
  /** Without it, requests cannot be answered and should go elsewhere. */
  readonly isRequired: boolean;
  /** Throws or rejects when the dependency is not available. */
  readonly look: () => unknown;
}

/** The result of a check; causes go to the log. */
export type Finding = 'ok' | 'failed';

export interface Readiness {
  /** `degraded`: an optional dependency is missing. */
  readonly status: 'ready' | 'degraded' | 'unready';
  readonly checks: Readonly<Record<string, Finding>>;
}

/** Milliseconds for which a result is cached: a flood of requests causes one check. */
const remembered = 1_000;

/**
 * @param onChange called with the cause when a check begins to fail, and without one when it succeeds again
 * @param elapsed milliseconds, monotonic
 */
export function createReadiness(
  checks: readonly ReadinessCheck[],
  onChange: (name: string, finding: Finding, cause?: unknown) => void,
  elapsed: () => number = () => performance.now(),
): () => Promise<Readiness> {
  const known = new Map<string, Finding>();
  const settle = (name: string, finding: Finding, cause?: unknown) => {
    if (finding !== (known.get(name) ?? 'ok')) onChange(name, finding, cause);
    known.set(name, finding);
    return finding;
  };
  const lookAt = async ({ name, look }: ReadinessCheck): Promise<Finding> => {
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
