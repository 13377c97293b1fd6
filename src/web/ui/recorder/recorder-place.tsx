import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { bodyOf, configurationApi, recorderAddressApi, type RecorderTrial } from '../../api-client.ts';
import { Icon } from '../drawings.tsx';
import { CopiedText } from '../shown-once.tsx';
import { LoadFailure, Loading } from '../notices.tsx';
import { withCode } from '../parts.tsx';
import { showToast } from '../toasts.tsx';
import { useLoaded } from '../loading.ts';
import { fill, plural, text } from '../../text.ts';
import { cameraText } from '../cameras/camera-names.ts';
import { pathTo } from '../../path-prefix.ts';
import { RecorderForm } from './recorder-form.tsx';

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

/** The recorder: its address, whether it answers, its cameras, and the file of its database. */
export function RecorderPlace(props: {
  /** Something has changed. */
  readonly onChange?: () => void;
  /** Below a recorder that answers. */
  readonly next?: ComponentChildren;
  /** Beside the button that connects one. */
  readonly skip?: ComponentChildren;
  /** Id of the element that takes the focus when the pressed button disappears. */
  readonly id: string;
}) {
  const { onChange = () => undefined, next, skip, id } = props;
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
    document.getElementById(id)?.focus();
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
      {place.sample_database && <Database found={place.database} />}
      {next}
      <details class="more">
        <summary>{firstRun.another}</summary>
        <RecorderForm key={place.address} current={place.address} onConnected={connected} skip={null} />
      </details>
    </>
  );
}

/** Its own database says which camera an event is from. */
function Database({ found }: { readonly found: Place['database'] }) {
  if (found?.written === true)
    return <p class="notice">{withCode(fill(firstRun.databaseWritten, { path: found.path }))}</p>;
  return (
    <div class="notice">
      <p>{found === null ? firstRun.database : firstRun.databaseFound}</p>
      <CopiedText
        label="events.database"
        value={`events:\n  database: ${found?.path ?? '/path/to/frigate.db'}`}
      />
    </div>
  );
}

/** Explains why the configured recorder does not answer. */
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

// More would need a list; Home has one.
const most = 9;

/** A small picture of each camera; its name where it has no picture. */
function Cameras({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="small-tiles">
      {names.slice(0, most).map((name) => (
        <SmallTile key={name} name={name} />
      ))}
      {names.length > most && <li class="badge">+ {names.length - most}</li>}
    </ul>
  );
}

function SmallTile({ name }: { readonly name: string }) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <li>
      {hasFailed ? (
        <span dir="auto">{cameraText(name)}</span>
      ) : (
        <img
          src={pathTo(`/api/${encodeURIComponent(name)}/latest.jpg?height=180`)}
          alt={cameraText(name)}
          title={cameraText(name)}
          width="160"
          height="90"
          onError={() => setFailed(true)}
        />
      )}
    </li>
  );
}
