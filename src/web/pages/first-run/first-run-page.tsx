import type { ComponentType } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { bodyOf, firstRunApi, type FirstRun } from '../../api-client.ts';
import { Brand, Icon } from '../../ui/drawings.tsx';
import { houseName } from '../../ui/page-marks.ts';
import { LoadFailure, Loading, Message } from '../../ui/notices.tsx';
import { FaceStep, PasswordStep, RecorderStep, type StepProps } from './steps.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useProfile } from '../../profile.ts';
import { ReadyStep } from './ready-step.tsx';
import { ServerLink } from '../../ui/parts.tsx';
import { fill, text } from '../../text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';

const firstRun = text.firstRun;

type StepName = FirstRun['steps'][number]['name'];

const steps: Readonly<Record<StepName, ComponentType<StepProps>>> = {
  password: PasswordStep,
  recorder: RecorderStep,
  face: FaceStep,
  check: ReadyStep,
};

/** Sets up a new Postern, one step at a time. The current step is in the address. */
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

/** @returns the title of the last step, which tells whether all others are done */
function readyTitle(found: FirstRun): string {
  const isReady = found.steps.every(({ name, done }) => done || name === 'check');
  return isReady
    ? fill(firstRun.readyTitle, { house: houseName })
    : fill(firstRun.almostTitle, { house: houseName });
}

function Stepper({ found, reload }: { readonly found: FirstRun; readonly reload: () => void }) {
  const { query, route } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const { steps: all } = found;
  const names = all.map(({ name }) => name);
  // Completing a step must not switch it while the user reads.
  const [first] = useState(() => all.find(({ done }) => !done)?.name ?? names.at(-1));
  const current = names.find((name) => name === query['step']) ?? first;
  const isDone = (name: StepName) => all.some((step) => step.name === name && step.done);
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
  const skip = !isDone(current) && (
    <>
      <button type="button" class="quiet" onClick={goOn}>
        {firstRun.skip}
      </button>
      <small>{firstRun.reminded}</small>
    </>
  );
  return (
    <div class="first-run">
      <header>
        <a class="brand" href={gatePath('/')}>
          <Brand />
        </a>
        <nav aria-label={fill(firstRun.stepOf, { step: names.indexOf(current) + 1, of: names.length })}>
          <ol>
            {names.map((name, index) => (
              <li key={name} class={isDone(name) ? 'done' : undefined}>
                <a href={addressOf(name)} aria-current={name === current ? 'step' : undefined}>
                  <span class="step-mark" aria-hidden="true">
                    {isDone(name) && name !== current ? <Icon name="check" /> : index + 1}
                  </span>
                  <span class="step-name">{firstRun.steps[name]}</span>
                  <span class="hidden-text">({isDone(name) ? firstRun.done : firstRun.open})</span>
                </a>
              </li>
            ))}
          </ol>
        </nav>
      </header>
      <article class={`first-step ${current}`} aria-labelledby="step">
        <h1 id="step" ref={heading} tabIndex={-1}>
          {current === 'check' ? readyTitle(found) : firstRun.titles[current]}
        </h1>
        <Step key={current} found={found} onChange={reload} onDone={goOn} skip={skip} />
      </article>
    </div>
  );
}
