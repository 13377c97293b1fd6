import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertCases } from '../../support/assert-cases.ts';

const property = (isChecked: (n: number) => boolean) =>
  fc.property(fc.nat(9), (n) => {
    if (isChecked(n)) expect(n).toBeLessThan(10);
  });

describe('a property', () => {
  test('whose cases all assert something passes', () => assertCases(property(() => true)));

  test('whose cases assert nothing fails, whatever share it asks for', () => {
    for (const reaching of [1, 0.1, 0])
      expect(() =>
        assertCases(
          property(() => false),
          { reaching },
        ),
      ).toThrow(/cases of 100/);
  });

  test('of which some cases assert nothing says so, or fails', () => {
    const some = () => property((n) => n < 5);
    expect(() => assertCases(some(), { numRuns: 500 })).toThrow(/cases of 500/);
    assertCases(some(), { numRuns: 500, reaching: 0.2 });
  });

  test('that does not hold fails with its case', () => {
    expect(() => assertCases(fc.property(fc.nat(), (n) => expect(n).toBeLessThan(3)))).toThrow(
      /Counterexample/,
    );
  });

  test('keeps its own hooks', () => {
    let [before, after] = [0, 0];
    const own = property(() => true)
      .beforeEach(() => (before += 1))
      .afterEach(() => (after += 1));
    assertCases(own);
    expect([before, after]).toEqual([100, 100]);
  });

  test('that is asynchronous is waited for', async () => {
    const idle = fc.asyncProperty(fc.nat(), async () => undefined);
    await expect(assertCases(idle)).rejects.toThrow(/cases of 100/);
    await assertCases(
      fc.asyncProperty(fc.nat(), async (n) => {
        expect(n).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
