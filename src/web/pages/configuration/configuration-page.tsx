import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { configurationApi, bodyOf, type ConfigurationReport } from '../../api-client.ts';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { text } from '../../text.ts';
import { Time } from '../../ui/time.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { listText } from '../../ui/list-text.ts';
import { withCode } from '../../ui/words.tsx';

export function ConfigurationPage() {
  return (
    <SettingsFrame page="configuration">
      <Configuration />
    </SettingsFrame>
  );
}

function Configuration() {
  const [state, reload] = useLoaded(() => bodyOf(configurationApi.index.$get()));
  // Reloads when the user comes back from editing the file. Polling without end would keep a session alive.
  useEffect(() => {
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, []);
  if (state.kind === 'loading') return <Loading what={text.configuration.what} />;
  if (state.kind === 'failed')
    return <LoadFailure what={text.configuration.what} error={state.error} onRetry={reload} />;
  const {
    hash,
    version,
    in_force_since: since,
    started_at: started,
    last_reload: last,
    warnings,
    recorder,
  } = state.value;
  return (
    <section aria-labelledby="configuration">
      <div class="title-row">
        <h1 id="configuration">{text.configuration.title}</h1>
        <button type="button" class="secondary outline" onClick={reload}>
          {text.configuration.refresh}
        </button>
      </div>
      <FailureNotice error={state.error} />
      <LastReload last={last} />
      {last.waiting.length > 0 && (
        <Notice title={text.configuration.waiting}>
          <ul>
            {last.waiting.map((key) => (
              <li key={key}>
                <code>{key}</code>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice title={text.configuration.warnings}>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      <h2>{text.configuration.current}</h2>
      <dl class="facts">
        <dt>{text.configuration.hash}</dt>
        <dd>
          <code>{hash}</code>
        </dd>
        <dt>{text.configuration.since}</dt>
        <dd>
          <Time seconds={since} />
        </dd>
        <dt>Postern</dt>
        <dd>
          {text.configuration.startedAt(version)} <Time seconds={started} />
        </dd>
        {recorder !== null && <RecorderFacts recorder={recorder} />}
      </dl>
      <p class="hint">{withCode(text.configuration.hint)}</p>
    </section>
  );
}

/** What the recorder reported about its cameras. */
function RecorderFacts(props: { readonly recorder: NonNullable<ConfigurationReport['recorder']> }) {
  const { cameras, heard_at: heard, fault, unknown_cameras: unknown } = props.recorder;
  return (
    <>
      <dt>{text.configuration.recorder}</dt>
      <dd>
        {heard === null ? (
          text.configuration.notTold
        ) : (
          <>
            {text.configuration.toldCameras(cameras.length)} <Time seconds={heard} />
          </>
        )}
        {fault !== null && (
          <>
            {' '}
            <span class="badge failure">{fault}</span>
          </>
        )}
        {unknown.length > 0 && <div>{text.configuration.doesNotHave(listText(unknown))}</div>}
      </dd>
    </>
  );
}

/** The result of the last reload; screen readers announce changes. */
function LastReload({ last }: { readonly last: ConfigurationReport['last_reload'] }) {
  const { successful, cause, at, problems } = last;
  return (
    <div role="status">
      {cause === 'start' ? (
        <p class="notice">{text.configuration.sinceStart}</p>
      ) : successful ? (
        <p class="notice success">
          {text.configuration.applied} <Time seconds={at} />
        </p>
      ) : (
        <div class="notice failure">
          <p>
            <strong>{text.configuration.notApplied}</strong> (<Time seconds={at} />
            ). {text.configuration.nothingChanged}
          </p>
          {problems.length === 0 && <p>{text.configuration.logSaysWhy}</p>}
          {problems.length > 0 && (
            <ul class="problems">
              {problems.map(({ path, found, allowed }) => (
                <li key={path + found}>
                  <code>{path}</code>
                  <div>{text.configuration.found(found)}</div>
                  <div>{text.configuration.allowed(allowed)}</div>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}

function Notice(props: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="notice">
      <strong>{props.title}</strong>
      {props.children}
    </div>
  );
}
