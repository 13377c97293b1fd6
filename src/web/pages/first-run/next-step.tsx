import { firstRun } from '#language/first-run';
import type { ComponentChildren } from 'preact';

/** On to the next step, and what else there is to do. */
export function NextStep(props: { readonly onDone: () => void; readonly children?: ComponentChildren }) {
  return (
    <p class="step-actions">
      <button type="button" onClick={props.onDone}>
        {firstRun.next}
      </button>
      {props.children}
    </p>
  );
}
