import { firstRun } from '#language/first-run';
import type { ComponentType } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { bodyOf, firstRunApi, type FirstRun } from '../../api-client.ts';
import { CheckStep } from './check-step.tsx';
import { LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { PasswordStep } from './password-step.tsx';
import { gatePath } from '../../path-prefix.ts';
import { PersonStep } from './person-step.tsx';
import { useProfile } from '../../profile.ts';
import { RecorderStep } from './recorder-step.tsx';
import { ServerLink } from '../../ui/server-link.tsx';
import type { StepProps } from './step-props.ts';
import { text } from '../../text.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';

type StepName = FirstRun['steps'][number]['name'];

const steps: Readonly<Record<StepName, ComponentType<StepProps>>> = {
  password: PasswordStep,
  recorder: RecorderStep,
  person: PersonStep,
  check: CheckStep,
};

/** Sets up a new gate step by step. The current step is in the address. */
export function FirstRunPage() {
  usePageTitle(firstRun.title);
  return useProfile().role === 'admin' ? (
    <FirstRunSteps />
  ) : (
    <Message title={firstRun.adminsOnly} page>
      <ServerLink path="/postern/">{text.actions.toStart}</ServerLink>
    </Message>
  );
}

function FirstRunSteps() {
  const [state, reload] = useLoaded(() => bodyOf(firstRunApi.index.$get()));
  const isNew = state.kind === 'loaded' && !state.value.shown;
  useEffect(() => {
    // It does no harm if this fails.
    if (isNew) bodyOf(firstRunApi.index.$post({ json: { fact: 'shown' } })).catch(() => undefined);
  }, [isNew]);
  if (state.kind === 'loading') return <Loading what={firstRun.what} />;
  if (state.kind === 'failed')
    return <LoadFailure what={firstRun.what} error={state.error} onRetry={reload} />;
  return <Stepper found={state.value} reload={reload} />;
}

function Stepper({ found, reload }: { readonly found: FirstRun; readonly reload: () => void }) {
  const { query, route } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const names = found.steps.map(({ name }) => name);
  // Completing a step must not switch it while the user reads.
  const [first] = useState(() => found.steps.find(({ done }) => !done)?.name ?? names[0]);
  const current = names.find((name) => name === query['step']) ?? first;
  const isDone = (name: StepName) => found.steps.some((step) => step.name === name && step.done);
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current !== current) heading.current?.focus();
    shown.current = current;
  }, [current]);
  if (current === undefined) return null;

  const Step = steps[current];
  const following = names[names.indexOf(current) + 1];
  const addressOf = (name: StepName) => gatePath(`/first-run?step=${name}`);
  const goOn = () => {
    reload();
    if (following !== undefined) route(addressOf(following));
  };
  return (
    <div class="first-run">
      <h1>{firstRun.title}</h1>
      <p>{found.steps.every(({ done }) => done) ? firstRun.allDone : firstRun.lead}</p>
      <nav aria-label={firstRun.steps}>
        <ol class="first-steps">
          {names.map((name, index) => (
            <li key={name}>
              <a href={addressOf(name)} aria-current={name === current ? 'step' : undefined}>
                <span class={`step-mark ${isDone(name) ? 'done' : ''}`} aria-hidden="true">
                  {isDone(name) ? '✓' : index + 1}
                </span>
                {firstRun[name]}
                <span class="hidden-text">({isDone(name) ? firstRun.done : firstRun.open})</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <article class="first-step" aria-labelledby="step">
        <h2 id="step" ref={heading} tabIndex={-1}>
          {firstRun[current]}
        </h2>
        <Step key={current} found={found} onChange={reload} onDone={goOn} />
      </article>
      <p class="step-actions">
        {following !== undefined && (
          <button type="button" class={isDone(current) ? '' : 'secondary outline'} onClick={goOn}>
            {isDone(current) ? firstRun.next : current === 'recorder' ? firstRun.skipRecorder : firstRun.skip}
          </button>
        )}
        <ServerLink path="/postern/">{firstRun.finish}</ServerLink>
      </p>
    </div>
  );
}
