import type { ComponentChildren } from 'preact';
import type { FirstRun } from '../../api-client.ts';

/** The props of each setup step. */
export interface StepProps {
  readonly found: FirstRun;
  /** Something has changed: reload the steps. */
  readonly onChange: () => void;
  /** On to the next step. */
  readonly onDone: () => void;
  /** A button that leaves the step as it is; it stands beside the step's own. */
  readonly skip: ComponentChildren;
}
