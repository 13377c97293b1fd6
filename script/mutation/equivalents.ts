/** A mutation that no test can notice, since it changes nothing that anyone could see. */
interface Equivalent {
  readonly file: string;
  /** As `script/mutate` prints it. */
  readonly was: string;
  readonly becomes: string;
  readonly because: string;
}

export const equivalents: readonly Equivalent[] = [];
