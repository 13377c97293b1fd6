import { firstRun } from '#language/first-run';
import { useEffect } from 'preact/hooks';
import { bodyOf, configurationApi, recorderAddressApi, type RecorderTrial } from '../../api-client.ts';
import { Cameras } from './cameras.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import type { StepProps } from './step-props.ts';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { RecorderForm } from './recorder-form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';

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

export function RecorderStep({ onChange }: StepProps) {
  const [state, reload] = useLoaded(loadRecorder);
  const place = state.kind === 'loaded' ? state.value : undefined;
  const isAsked = place?.recorder?.heard_at === null && place.recorder.fault === null;
  useEffect(() => {
    if (!isAsked) return undefined;
    const timer = setTimeout(reload, moment);
    return () => clearTimeout(timer);
  }, [state]);
  const connected = ({ cameras }: RecorderTrial) => {
    showToast(firstRun.connected(cameras.length));
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
    return <LoadFailure what={firstRun.recorder} error={state.error} onRetry={reload} />;
  if (place === undefined) return <Loading what={firstRun.recorder} />;
  const isGood = isAnswering(place);
  const form = <RecorderForm key={place.address} current={place.address} onConnected={connected} />;
  return (
    <>
      <ConnectedRecorder place={place} />
      {isGood ? (
        <details class="more">
          <summary>{firstRun.another}</summary>
          {form}
        </details>
      ) : (
        form
      )}
      {place.front !== 'embedded' && <p class="notice">{firstRun.otherFront}</p>}
      {place.address !== null && place.sample_database && (
        <div class="notice">
          <p>{firstRun.database}</p>
          <CopiedText label="events.database" value={'events:\n  database: /path/to/recorder.db'} />
        </div>
      )}
    </>
  );
}

function ConnectedRecorder({ place }: { readonly place: Place }) {
  const { address, recorder, sample_database: isSample } = place;
  if (address === null) return <p>{isSample ? firstRun.noRecorder : firstRun.noRecorderPlain}</p>;
  const { cameras = [], fault = null } = recorder ?? {};
  const isGood = isAnswering(place);
  return (
    <div class={`notice ${isGood ? 'success' : fault === null ? '' : 'failure'}`} role="status">
      <p>
        <code>{address}</code>
      </p>
      <p>
        {isGood
          ? firstRun.answers(cameras.length)
          : fault === null
            ? firstRun.asking
            : firstRun.faults[fault]}
      </p>
      {isGood && <Cameras names={cameras.map(({ name }) => name)} />}
    </div>
  );
}

function isAnswering({ recorder }: Place): boolean {
  return recorder !== null && recorder.heard_at !== null && recorder.fault === null;
}
