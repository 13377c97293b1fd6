import { useEffect } from 'preact/hooks';
import { bodyOf, configurationApi, recorderAddressApi, type RecorderTrial } from '../../api-client.ts';
import { Cameras } from './cameras.tsx';
import { Icon } from '../../ui/drawings.tsx';
import { NextStep } from './next-step.tsx';
import { CopiedText } from '../../ui/shown-once.tsx';
import type { StepProps } from './step-props.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { RecorderForm } from './recorder-form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { fill, plural, text } from '../../text.ts';

const firstRun = text.firstRun;

async function loadRecorder() {
  const [place, { recorder }] = await Promise.all([
    bodyOf(recorderAddressApi.index.$get()),
    bodyOf(configurationApi.index.$get()),
  ]);
  return { ...place, recorder };
}

type Place = Awaited<ReturnType<typeof loadRecorder>>;

// Milliseconds: a recorder that was just contacted answers soon.
const moment = 1_500;

export function RecorderStep({ onChange, onDone, skip }: StepProps) {
  const [state, reload] = useLoaded(loadRecorder);
  const place = state.kind === 'loaded' ? state.value : undefined;
  const isAsked = place?.recorder?.heard_at === null && place.recorder.fault === null;
  useEffect(() => {
    if (!isAsked) return undefined;
    const timer = setTimeout(reload, moment);
    return () => clearTimeout(timer);
  }, [state]);
  const connected = ({ cameras }: RecorderTrial) => {
    showToast(fill(firstRun.connected, { cameras: plural(firstRun.cameras, cameras.length) }));
    // The pressed button disappears.
    document.getElementById('step')?.focus();
    reload();
    onChange();
  };
  // A new report of the recorder also updates the list of steps.
  const heard = place?.recorder?.heard_at;
  useEffect(() => {
    if (typeof heard === 'number') onChange();
  }, [heard]);
  if (state.kind === 'failed')
    return <LoadFailure what={firstRun.titles.recorder} error={state.error} onRetry={reload} />;
  if (place === undefined) return <Loading what={firstRun.titles.recorder} />;
  if (!isAnswering(place)) {
    return (
      <>
        <p class="lead">{place.address === null ? firstRun.recorderWhy : firstRun.recorderAway}</p>
        {place.address !== null && <Away place={place} />}
        <RecorderForm key={place.address} current={place.address} onConnected={connected} skip={skip} />
      </>
    );
  }
  const names = (place.recorder?.cameras ?? []).map(({ name }) => name);
  return (
    <>
      <p class="lead">{firstRun.answers}</p>
      <div class="connected" role="status">
        <span>
          <b dir="ltr">{place.address}</b>
          <small>{plural(firstRun.cameras, names.length)}</small>
        </span>
        <span class="badge strong">
          <Icon name="check" />
          {firstRun.connectedTag}
        </span>
      </div>
      <Cameras names={names} />
      {place.front !== 'embedded' && <p class="notice">{firstRun.otherFront}</p>}
      {place.sample_database && (
        <div class="notice">
          <p>{firstRun.database}</p>
          <CopiedText label="events.database" value={'events:\n  database: /path/to/recorder.db'} />
        </div>
      )}
      <NextStep onDone={onDone} />
      <details class="more">
        <summary>{firstRun.another}</summary>
        <RecorderForm key={place.address} current={place.address} onConnected={connected} skip={null} />
      </details>
    </>
  );
}

/** Why the recorder that is set does not answer. */
function Away({ place: { recorder } }: { readonly place: Place }) {
  const fault = recorder?.fault ?? null;
  if (fault === null) return <Loading what={firstRun.titles.recorder} />;
  const { says, todo } = firstRun.faults[fault];
  return (
    <p class="notice failure" role="status">
      <strong>{says}</strong> {todo}
    </p>
  );
}

function isAnswering({ recorder }: Place): boolean {
  return recorder !== null && recorder.heard_at !== null && recorder.fault === null;
}
