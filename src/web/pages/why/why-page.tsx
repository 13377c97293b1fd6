import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { SettingsFrame } from '../../ui/section.tsx';
import { Refusal } from './refusal.tsx';
import { text, fill } from '../../text.ts';
import {
  bodyOf,
  camerasApi,
  rolesApi,
  userDetailsApi,
  explainApi,
  type Explanation,
} from '../../api-client.ts';
import { inOrder, cameraText } from '../../ui/cameras/camera-names.ts';
import { LoadFailure, Loading, FailureNotice } from '../../ui/notices.tsx';
import { gatePath, pathTo } from '../../path-prefix.ts';
import { useLoaded } from '../../ui/loading.ts';
import { WhyAnswer } from './answer.tsx';
import { queryOf, questionIn, valueOf, whoOf, takeApart, type Question } from './question.ts';
import { secondsOf } from '../../ui/explore-search.ts';
import { localTime, browserZone, gateZone, isForeign } from '../../ui/time-text.ts';
import { fieldOf, useAction } from '../../ui/forms/form-action.ts';
import { capabilities, type Capability } from '../../ui/roles/role-access.ts';
import { because, Explained } from './explained.tsx';
import type { Who } from '../../ui/roles/role-paths.ts';

const words = text.why;

/** Whether someone may do something with a camera, or why a request was refused. */
export function WhyPage() {
  const { decision } = useLocation().query;
  const title = decision === undefined ? words.title : words.refused;
  return (
    <SettingsFrame page="access" title={title}>
      <div class="why">
        <h1>{title}</h1>
        {decision === undefined ? <TestAccess /> : <Refusal key={decision} decision={decision} />}
      </div>
    </SettingsFrame>
  );
}

async function readChoices(): Promise<Choices> {
  const [users, roles, cameras] = await Promise.all([
    bodyOf(userDetailsApi.index.$get({ query: {} })),
    bodyOf(rolesApi.index.$get()),
    bodyOf(camerasApi.index.$get()),
  ]);
  return {
    users: users.map(({ username }) => username),
    roles: ['admin', 'viewer', ...roles.map(({ name }) => name)],
    cameras: inOrder(cameras),
  };
}

/** The question stands in the address, so that other pages can ask it. */
function TestAccess() {
  const { query, route } = useLocation();
  const [state, reload] = useLoaded(readChoices);
  if (state.kind === 'loading') return <Loading what={words.choices} />;
  if (state.kind === 'failed')
    return <LoadFailure what={words.choices} error={state.error} onRetry={reload} />;
  const asked = questionIn(query);
  const { who, camera } = asked;
  const question: Question | undefined =
    who === undefined || camera === undefined ? undefined : { ...asked, who, camera, to: asked.to ?? 'live' };
  const address = question && queryOf(question);
  return (
    <>
      {state.value.cameras.length === 0 ? (
        <p class="placeholder">{words.noCameras}</p>
      ) : (
        <QuestionForm
          // Another address is another question.
          key={address ?? ''}
          choices={state.value}
          asked={asked}
          onAsk={(next) => route(`${gatePath('/settings/why')}?${queryOf(next)}`)}
        />
      )}
      {question === undefined ? (
        <p class="hint">{words.start}</p>
      ) : (
        <WhyAnswer key={address} question={question} />
      )}
      <details class="more">
        <summary>{words.raw}</summary>
        <TestRequest who={who ?? { role: 'viewer' }} />
      </details>
    </>
  );
}

/** Who and what can be asked about. */
interface Choices {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly cameras: readonly string[];
}

interface QuestionFormProps {
  readonly choices: Choices;
  readonly asked: Partial<Question>;
  readonly onAsk: (question: Question) => void;
}

function QuestionForm({ choices, asked, onAsk }: QuestionFormProps) {
  const { users, roles, cameras } = choices;
  const [isNow, setNow] = useState(asked.at === undefined);
  const chosen = asked.who && valueOf(asked.who);
  const whoOptions = (names: readonly string[], whoIs: (name: string) => Question['who']) =>
    names.map((name) => {
      const value = valueOf(whoIs(name));
      return (
        <option key={value} value={value} selected={value === chosen}>
          {name}
        </option>
      );
    });
  return (
    <form
      class="question"
      aria-label={words.form}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        onAsk({
          who: whoOf(fieldOf(fields, 'who')),
          camera: fieldOf(fields, 'camera'),
          to: fieldOf(fields, 'to') as Capability,
          at: isNow ? undefined : secondsOf(fieldOf(fields, 'time')),
        });
      }}
    >
      <label>
        {words.who}
        <select name="who">
          {users.length > 0 && (
            <optgroup label={words.users}>{whoOptions(users, (user) => ({ user }))}</optgroup>
          )}
          <optgroup label={words.roles}>{whoOptions(roles, (role) => ({ role }))}</optgroup>
        </select>
      </label>
      <label>
        {words.camera}
        <select name="camera">
          {cameras.map((camera) => (
            <option key={camera} value={camera} selected={camera === asked.camera}>
              {cameraText(camera)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.to}
        <select name="to">
          {capabilities.map((word) => (
            <option key={word} value={word} selected={word === asked.to}>
              {words.todo[word]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.when}
        <select name="when" onChange={({ currentTarget }) => setNow(currentTarget.value === 'now')}>
          <option value="now" selected={isNow}>
            {words.now}
          </option>
          <option value="time" selected={!isNow}>
            {words.atTime}
          </option>
        </select>
      </label>
      {!isNow && (
        <label class="time">
          {isForeign(gateZone()) ? `${words.time} (${browserZone()})` : words.time}
          <input
            type="datetime-local"
            name="time"
            required
            defaultValue={localTime(asked.at === undefined ? Date.now() : asked.at * 1000)}
          />
        </label>
      )}
      <button type="submit" class="outline">
        {words.test}
      </button>
    </form>
  );
}

type Outcome =
  | { readonly kind: 'elsewhere'; readonly site: string }
  | { readonly kind: 'explained'; readonly asked: string; readonly explanation: Explanation };

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** A field for any path or address: Postern returns what it would decide for someone, without sending a request. */
function TestRequest({ who }: { readonly who: Who }) {
  const [answer, setAnswer] = useState<Outcome>();
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
