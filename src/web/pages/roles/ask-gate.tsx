import { roleView as words } from '#language/role-view';
import { useRef, useState } from 'preact/hooks';
import { bodyOf, explainApi, type Explanation } from '../../api-client.ts';
import { Explained, reasonOf, Verdict } from '../../ui/roles/explained.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { FailureNotice } from '../../ui/notices.tsx';
import { pathTo } from '../../path-prefix.ts';
import { takeApart } from './take-apart.ts';
import { useAction } from '../../ui/forms/use-action.ts';

type Answer =
  | { readonly kind: 'elsewhere'; readonly site: string }
  | { readonly kind: 'explained'; readonly asked: string; readonly explanation: Explanation };

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

interface AskGateProps {
  readonly role: string;
  readonly cameras: readonly string[];
  /** All other cameras. */
  readonly others: readonly string[];
}

/** A field for any path or address: the gate returns what it would decide for the role, without sending a request. */
export function AskGate({ role, cameras, others }: AskGateProps) {
  const form = useRef<HTMLFormElement>(null);
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
      const explanation = await bodyOf(explainApi.index.$post({ json: { role, method, uri } }));
      setAnswer({ kind: 'explained', asked: words.asked(method, uri), explanation });
    });
  };
  const askExample = (uri: string) => {
    const { current } = form;
    const set = (name: string, value: string) => {
      const field = current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
    };
    set('method', 'GET');
    set('address', uri);
    ask('GET', uri);
  };
  const pictureOf = (camera: string) => `/api/${encodeURIComponent(camera)}/latest.jpg`;
  const [own] = cameras;
  const [other] = others;
  const examples = [
    ...(own === undefined ? [] : [[words.example.own(own), pictureOf(own)] as const]),
    ...(other === undefined ? [] : [[words.example.other(other), pictureOf(other)] as const]),
    [words.example.events, '/api/events'],
    [words.example.configuration, '/api/config'],
  ] as const;

  return (
    <section aria-labelledby="ask">
      <h3 id="ask">{words.ask}</h3>
      <form
        ref={form}
        class="ask-gate"
        aria-labelledby="ask"
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
          {words.askNow}
        </button>
      </form>
      <p class="hint" id="ask-hint">
        {words.askHint}
      </p>
      <p class="examples">
        <span id="examples">{words.examples}:</span>{' '}
        {examples.map(([title, uri]) => (
          <button key={uri} type="button" class="secondary outline" onClick={() => askExample(uri)}>
            {title}
          </button>
        ))}
      </p>
      <FailureNotice error={failure} />
      <div role="status" aria-busy={busy}>
        {answer?.kind === 'elsewhere' && <p class="notice">{words.elsewhere(answer.site)}</p>}
        {answer?.kind === 'explained' && (
          <Verdict isAllowed={answer.explanation.verdict === 'allow'} why={reasonOf(answer.explanation)}>
            <p>
              <code>{answer.asked}</code>
            </p>
            <Explained explanation={answer.explanation} key={answer.asked} />
          </Verdict>
        )}
      </div>
    </section>
  );
}
