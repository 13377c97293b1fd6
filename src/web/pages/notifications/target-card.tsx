import { useState } from 'preact/hooks';
import { bodyOf, messageOf, settingsApi } from '../../api-client.ts';
import { timeOf } from '../../../language/fill.ts';
import { Icon } from '../../ui/drawings.tsx';
import { useAction } from '../../ui/forms/form-action.ts';
import { browserZone } from '../../ui/time-text.ts';
import { fill, language, text } from '../../text.ts';
import { placeOf, type Kind, type Target } from './targets.ts';

const words = text.notifications;
const icons = { ntfy: 'phone', mail: 'mail', webhook: 'hook' } as const;

type Fault = Awaited<ReturnType<typeof sendTest>>;

/** @returns why a test was not delivered; null when it was */
async function sendTest(target: Target) {
  const { fault } = await bodyOf(settingsApi.notifications.test.$post({ json: { target } }));
  return fault;
}

/** A test of a target, and its result. */
export function useTest() {
  const { busy, failure, run } = useAction();
  const [tested, setTested] = useState<{ readonly type: Kind; readonly fault: Fault; readonly at: number }>();
  return {
    busy,
    fault: tested?.fault ?? null,
    test: (target: Target) =>
      run(async () => {
        setTested(undefined);
        const fault = await sendTest(target);
        setTested({ type: target.type, fault, at: Date.now() });
      }),
    result: <TestResult tested={busy ? undefined : tested} failure={failure} isBusy={busy} />,
  };
}

/** It is on the page from the start: screen readers announce only changes of a region they have seen. */
function TestResult(props: {
  readonly tested: { readonly type: Kind; readonly fault: Fault; readonly at: number } | undefined;
  readonly failure: unknown;
  readonly isBusy: boolean;
}) {
  const { tested, failure, isBusy } = props;
  const isFailed = failure !== undefined || (tested !== undefined && tested.fault !== null);
  const says = () => {
    if (isBusy) return words.testing;
    if (failure !== undefined) return messageOf(failure);
    if (tested === undefined) return '';
    const { type, fault, at } = tested;
    if (fault !== null) return fault === 'login_refused' ? words.loginRefused[type] : words.faults[fault];
    return fill(words.arrived[type], { time: timeOf(at, browserZone(), language) });
  };
  const shown = says();
  return (
    <p class={`result ${isFailed ? 'failed' : ''}`} role="status">
      {shown !== '' && !isBusy && <Icon name={isFailed ? 'warn' : 'check'} />}
      <span>{shown}</span>
    </p>
  );
}

/** The picture and the name of a kind of target. */
export function KindIcon({ kind }: { readonly kind: Kind }) {
  return (
    <span class="kind-icon">
      <Icon name={icons[kind]} />
    </span>
  );
}

/** A target, with a test of it. */
export function TargetCard({ target, onEdit }: { readonly target: Target; readonly onEdit: () => void }) {
  const { busy, test, result } = useTest();
  const place = placeOf(target);
  const { name } = words.kinds[target.type];
  return (
    <li class="card target is-set">
      <div class="target-head">
        <KindIcon kind={target.type} />
        <h3>{name}</h3>
      </div>
      <bdi class="place-text">{place}</bdi>
      {result}
      <div class="kept-actions">
        <button
          type="button"
          class="secondary"
          aria-label={fill(words.testOf, { place })}
          disabled={busy}
          aria-busy={busy}
          onClick={() => test(target)}
        >
          {words.test}
        </button>
        <button
          type="button"
          class="quiet"
          id={editId(target)}
          aria-label={fill(words.editOf, { place })}
          onClick={onEdit}
        >
          {words.edit}
        </button>
      </div>
    </li>
  );
}

/** Id of the button that opens a target. */
export function editId(target: Target): string {
  return `edit ${JSON.stringify(target)}`.replaceAll(/\s/g, '-');
}

/** A kind of target that is not set up yet. */
export function EmptyCard(props: {
  readonly kind: Kind;
  /** It is the one to begin with. */
  readonly isFirst: boolean;
  readonly onSetUp: () => void;
}) {
  const { kind, isFirst, onSetUp } = props;
  const { name, says } = words.kinds[kind];
  return (
    <li class="card target">
      <div class="target-head">
        <KindIcon kind={kind} />
        <h3>{name}</h3>
      </div>
      <p class="muted">{says}</p>
      <div class="kept-actions">
        <button
          type="button"
          class={isFirst ? undefined : 'secondary'}
          id={`set-up-${kind}`}
          aria-label={fill(words.setUpOf, { kind: name })}
          onClick={onSetUp}
        >
          {words.setUp}
        </button>
      </div>
    </li>
  );
}
