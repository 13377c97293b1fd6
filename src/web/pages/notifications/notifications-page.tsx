import { useState } from 'preact/hooks';
import { bodyOf, notificationsApi } from '../../api-client.ts';
import { useAction } from '../../ui/forms/form-action.ts';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import { SettingsFrame } from '../../ui/section.tsx';
import { fill, plural, text } from '../../text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { withCode } from '../../ui/parts.tsx';

const words = text.notifications;

/** Where alerts go, and a test of it. */
export function NotificationsPage() {
  return (
    <SettingsFrame page="notifications">
      <Targets />
    </SettingsFrame>
  );
}

type Tested = readonly { readonly fault: string | null }[];

function Targets() {
  const [state, reload] = useLoaded(() => bodyOf(notificationsApi.index.$get()));
  const [tested, setTested] = useState<Tested>();
  const action = useAction();
  if (state.kind === 'loading') return <Loading what={words.what} />;
  if (state.kind === 'failed') return <LoadFailure what={words.what} error={state.error} onRetry={reload} />;
  const { targets, lost } = state.value;
  const test = () => action.run(async () => setTested(await bodyOf(notificationsApi.test.$post())));
  const resultOf = (index: number) => {
    const result = tested?.[index];
    if (result === undefined) return words.notTested;
    return result.fault === null ? words.sent : fill(words.failed, { fault: result.fault });
  };
  return (
    <section aria-labelledby="notifications">
      <div class="title-row">
        <h1 id="notifications">{text.settings.notifications}</h1>
        {targets.length > 0 && (
          <button type="button" disabled={action.busy} aria-busy={action.busy} onClick={test}>
            {words.test}
          </button>
        )}
      </div>
      <p>{words.hint}</p>
      {lost > 0 && <p class="notice failure">{plural(words.lost, lost)}</p>}
      <FailureNotice error={action.failure} />
      <p class={tested === undefined ? undefined : 'notice'} role="status">
        {tested && (tested.every(({ fault }) => fault === null) ? words.tested : words.testedInPart)}
      </p>
      {targets.length === 0 ? (
        <p class="placeholder">{withCode(words.none)}</p>
      ) : (
        <dl class="facts">
          {targets.map(({ type, host }, index) => (
            <>
              <dt>
                {words.kinds[type]} <bdi>{host}</bdi>
              </dt>
              <dd>{resultOf(index)}</dd>
            </>
          ))}
        </dl>
      )}
    </section>
  );
}
