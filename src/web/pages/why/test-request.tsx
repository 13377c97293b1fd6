import { useState } from 'preact/hooks';
import { bodyOf, explainApi, type Explanation } from '../../api-client.ts';
import { because, Explained } from './explained.tsx';
import { fieldOf, useAction } from '../../ui/forms/form-action.ts';
import { FailureNotice } from '../../ui/notices.tsx';
import { pathTo } from '../../path-prefix.ts';
import type { Who } from '../../ui/roles/role-paths.ts';
import { takeApart } from './question.ts';
import { fill, text } from '../../text.ts';

const words = text.why;

type Answer =
  | { readonly kind: 'elsewhere'; readonly site: string }
  | { readonly kind: 'explained'; readonly asked: string; readonly explanation: Explanation };

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** A field for any path or address: Postern returns what it would decide for someone, without sending a request. */
export function TestRequest({ who }: { readonly who: Who }) {
  const [answer, setAnswer] = useState<Answer>();
  const { busy, failure, run } = useAction();
  const ask = (method: string, typed: string) => {
    const taken = takeApart(typed, { origin: location.origin, prefix: pathTo('') });
    if (taken.kind === 'nothing') return;
    if (taken.kind === 'elsewhere') {
      setAnswer(taken);
      return;
    }
    run(async () => {
      const { uri } = taken;
      const explanation = await bodyOf(explainApi.index.$post({ json: { ...who, method, uri } }));
      setAnswer({ kind: 'explained', asked: fill(words.asked, { method, uri }), explanation });
    });
  };
  return (
    <section aria-label={words.raw}>
      <form
        class="ask-gate"
        aria-label={words.raw}
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          ask(fieldOf(fields, 'method'), fieldOf(fields, 'address'));
        }}
      >
        <label>
          {words.method}
          <select name="method">
            {methods.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        </label>
        <label>
          {words.address}
          <input
            name="address"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            inputMode="url"
            maxLength={8000}
            aria-describedby="ask-hint"
            required
          />
        </label>
        <button type="submit" aria-busy={busy}>
          {words.test}
        </button>
      </form>
      <p class="hint" id="ask-hint">
        {words.askHint}
      </p>
      <FailureNotice error={failure} />
      <div role="status" aria-busy={busy}>
        {answer?.kind === 'elsewhere' && <p class="notice">{fill(words.elsewhere, { site: answer.site })}</p>}
        {answer?.kind === 'explained' && (
          <div class={answer.explanation.verdict === 'allow' ? 'verdict allowed' : 'verdict'}>
            <p>
              <strong>{verdictOf(answer.explanation)}</strong>
            </p>
            <p>
              <code>{answer.asked}</code>
            </p>
            <Explained explanation={answer.explanation} key={answer.asked} />
          </div>
        )}
      </div>
    </section>
  );
}

function verdictOf(explanation: Explanation): string {
  const isAllowed = explanation.verdict === 'allow';
  return `${isAllowed ? words.allowedWord : words.refusedWord}: ${because(explanation, { ...explanation, user: undefined })}`;
}
