/**
 * Whether this machine can do what a test needs. Elsewhere such a test is left out; with `CI` set it has to run, so that nothing is left
 * out unseen.
 * @param need as in "needs …"
 * @throws with `CI` set, where it cannot
 */
export function canHere(need: string, isPossible: boolean): boolean {
  if (!isPossible && process.env['CI'] !== undefined)
    throw new Error(
      `CI is set, and this test file needs ${need}: give the machine that, or unset CI to leave these tests out`,
    );
  return isPossible;
}
