import type { Explanation } from '../../api-client.ts';
import { withCode } from '../../ui/parts.tsx';
import { text } from '../../text.ts';

const words = text.why;

/** The explanation of a verdict: advice, and the steps that led to it. */
export function Explained({ explanation }: { readonly explanation: Explanation }) {
  const { verdict, advice, steps } = explanation;
  const names: Readonly<Record<string, string>> = words.stepNames;
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
