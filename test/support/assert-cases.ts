import * as fc from 'fast-check';
import { expect } from 'vitest';
import { isQuick } from './tier.ts';

/** What of fast-check's properties counts their cases. */
interface Hooks<T> {
  beforeEach(hook: (former: () => unknown) => void): T;
  afterEach(hook: (former: () => unknown) => void): T;
}

type Parameters<T> = fc.Parameters<T> & {
  /** The share of the cases that must reach an `expect`, from 0 to 1: below that, too few of those that are made test anything. */
  readonly reaching?: number;
};

// script/fuzz sets both: more cases than the tests take the time for, and others.
const fuzzRuns = Number(process.env['FUZZ_RUNS'] ?? 0);
const fuzzSeed = process.env['FUZZ_SEED'];

/** The quick tests leave more to `script/test all`. */
const mostQuickRuns = 500;

/** At least as many cases as script/fuzz asks for, of its seed. */
function fuzzed<T>(parameters: fc.Parameters<T>): fc.Parameters<T> {
  if (fuzzRuns === 0)
    return isQuick && parameters.numRuns !== undefined
      ? { ...parameters, numRuns: Math.min(parameters.numRuns, mostQuickRuns) }
      : parameters;
  const numRuns = Math.max(fuzzRuns, parameters.numRuns ?? 0);
  return { ...parameters, numRuns, ...(fuzzSeed === undefined ? {} : { seed: Number(fuzzSeed) }) };
}

/** `fc.assert` for properties with `expect`: one that skips its assertions fails. By default every case must reach one. */
export function assertCases<T>(property: fc.IPropertyWithHooks<T>, parameters?: Parameters<T>): void;
export function assertCases<T>(
  property: fc.IAsyncPropertyWithHooks<T>,
  parameters?: Parameters<T>,
): Promise<void>;
export function assertCases<T>(
  property: fc.IPropertyWithHooks<T> | fc.IAsyncPropertyWithHooks<T>,
  { reaching = 1, ...parameters }: Parameters<T> = {},
): Promise<void> | void {
  let [cases, reached, before] = [0, 0, 0];
  const assertions = () => expect.getState().assertionCalls;
  const counted = property as Hooks<unknown>;
  counted.beforeEach((former) => {
    before = assertions();
    return former();
  });
  counted.afterEach((former) => {
    cases += 1;
    if (assertions() > before) reached += 1;
    return former();
  });
  const compare = () => {
    const least = Math.max(1, cases * reaching);
    expect(reached, `cases of ${cases} that reached an assertion`).toBeGreaterThanOrEqual(least);
  };
  const checked = fc.assert(property as fc.IProperty<T>, fuzzed(parameters)) as Promise<void> | undefined;
  return checked === undefined ? compare() : checked.then(compare);
}
