import type { FirstRun } from '../../api-client.ts';

/** What each step of the first run is told. */
export interface StepProps {
  readonly found: FirstRun;
  /** Something was done: what the step is about is looked at again. */
  readonly onChange: () => void;
  /** It was done, and nothing is left to read. */
  readonly onDone: () => void;
}
