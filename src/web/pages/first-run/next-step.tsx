import type { ComponentChildren } from 'preact';
import { text } from '../../text.ts';

const firstRun = text.firstRun;

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
