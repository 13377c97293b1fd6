import type { FirstRun } from '../../api-client.ts';

/** The props of each setup step. */
export interface StepProps {
  readonly found: FirstRun;
  /** Something has changed: reload the step. */
  readonly onChange: () => void;
  /** The step is done, with nothing left to read. */
  readonly onDone: () => void;
}
