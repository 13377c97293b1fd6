import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { configurationApi, bodyOf, type ConfigurationReport } from './api-client.ts';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { Time } from './time.tsx';
import { useLoaded } from './use-loaded.ts';

export function ConfigurationPage() {
  return (
    <SettingsFrame page="configuration">
      <Configuration />
    </SettingsFrame>
  );
}

function Configuration() {
  const [state, reload] = useLoaded(() => bodyOf(configurationApi.index.$get()));
  // Whoever was away editing the file wants to see what became of it. Asking without end would keep a session alive.
  useEffect(() => {
    window.addEventListener('focus', reload);
    return () => window.removeEventListener('focus', reload);
  }, []);
  if (state.kind === 'loading') return <Loading what="configuration" />;
  if (state.kind === 'failed')
    return <LoadFailure what="configuration" error={state.error} onRetry={reload} />;
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
        <h2 id="configuration">Configuration</h2>
        <button type="button" class="secondary outline" onClick={reload}>
          Refresh
        </button>
      </div>
      <FailureNotice error={state.error} />
      <LastReload last={last} />
      {last.waiting.length > 0 && (
        <Notice title="These changes wait for a restart">
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
        <Notice title="Worth a second look">
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
      <h3>Current</h3>
      <dl class="facts">
        <dt>Hash</dt>
        <dd>
          <code>{hash}</code>
        </dd>
        <dt>Since</dt>
        <dd>
          <Time seconds={since} />
        </dd>
        <dt>Postern</dt>
        <dd>
          {version}, started <Time seconds={started} />
        </dd>
        {recorder !== null && <RecorderFacts recorder={recorder} />}
      </dl>
      <p class="hint">
        Postern reads <code>config.yml</code>, the trusted headers, the certificate and the JWT secret anew
        when they change. The hash is the same for the same configuration; secrets have no part in it.
      </p>
    </section>
  );
}

/** What the recorder has told of its cameras. */
function RecorderFacts(props: { readonly recorder: NonNullable<ConfigurationReport['recorder']> }) {
  const { cameras, heard_at: heard, fault, unknown_cameras: unknown } = props.recorder;
  return (
    <>
      <dt>Recorder</dt>
      <dd>
        {heard === null ? (
          'has not told its cameras yet'
        ) : (
          <>
            {cameras.length === 1 ? '1 camera' : `${cameras.length} cameras`}, as it said{' '}
            <Time seconds={heard} />
          </>
        )}
        {fault !== null && (
          <>
            {' '}
            <span class="badge failure">{fault}</span>
          </>
        )}
        {unknown.length > 0 && <div>It does not have: {unknown.join(', ')}</div>}
      </dd>
    </>
  );
}

/** How the last attempt to read the files ended, said aloud when it changes. */
function LastReload({ last }: { readonly last: ConfigurationReport['last_reload'] }) {
  const { successful, cause, at, problems } = last;
  return (
    <div role="status">
      {cause === 'start' ? (
        <p class="notice">The files were read at the start, and have not changed since.</p>
      ) : successful ? (
        <p class="notice success">
          The files were read anew <Time seconds={at} />, and applied.
        </p>
      ) : (
        <div class="notice failure">
          <p>
            <strong>The files could not be applied</strong> (<Time seconds={at} />
            ). Nothing was changed: the former configuration stays.
          </p>
          {problems.length === 0 && <p>The log says why.</p>}
          {problems.length > 0 && (
            <ul class="problems">
              {problems.map(({ path, found, allowed }) => (
                <li key={path + found}>
                  <code>{path}</code>
                  <div>Found: {found}</div>
                  <div>Allowed: {allowed}</div>
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
