import { roleView as words } from '#language/role-view';
import type { ComponentChildren } from 'preact';
import type { Explanation } from '../../api-client.ts';
import { listText } from '../list-text.ts';
import { withCode } from '../words.tsx';

/** The reason for a decision, as text. */
export function reasonOf({ verdict, reason, meaning, not_granted: missing }: Explanation): string {
  if (verdict !== 'allow' && reason === 'camera_not_granted' && missing.length > 0)
    return words.notItsCameras(listText(missing), missing.length > 1);
  return meaning;
}

export function Verdict(props: {
  readonly isAllowed: boolean;
  readonly why: string;
  readonly children?: ComponentChildren;
}) {
  const { isAllowed, why, children } = props;
  return (
    <div class={`verdict ${isAllowed ? 'allowed' : 'refused'}`}>
      <p>
        <strong>{words.because(isAllowed ? words.allowed : words.refused, why)}</strong>
      </p>
      {children}
    </div>
  );
}

/** The explanation of a verdict: advice, and the steps that led to it. */
export function Explained({ explanation }: { readonly explanation: Explanation }) {
  const { verdict, advice, steps } = explanation;
  const names: Readonly<Record<string, string>> = words.step;
  return (
    <>
      {verdict === 'allow' ? (
        steps.filter(({ step }) => step === 'query').map(({ says }) => <p key={says}>{says}</p>)
      ) : (
        <p>
          <strong>{words.whatToDo}:</strong> {withCode(advice)}
        </p>
      )}
      <details class="more">
        <summary>{words.steps}</summary>
        <ol class="verdict-steps">
          {steps.map(({ step, says }) => (
            <li key={step + says}>
              <span>{names[step] ?? step}</span> <span dir="auto">{says}</span>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
