import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import {
  bodyOf,
  configurationApi,
  recorderAddressApi,
  ApiFailure,
  type RecorderTrial,
} from '../../api-client.ts';
import { Icon } from '../../ui/drawings.tsx';
import { NextStep, type StepProps } from './steps.tsx';
import { CopiedText } from '../../ui/shown-once.tsx';
import { LoadFailure, Loading } from '../../ui/notices.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useLoaded } from '../../ui/loading.ts';
import { fill, plural, text } from '../../text.ts';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { fieldOf, useAction } from '../../ui/forms/form-action.ts';
import { saferAddress, typedAddress } from './first-run.ts';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { pathTo } from '../../path-prefix.ts';

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

interface Tried {
  readonly address: string;
  readonly trial: RecorderTrial;
}

/** Asks whether there is a recorder at an address, and connects it if everyone is safe there. */
function RecorderForm(props: {
  readonly current: string | null;
  readonly onConnected: (found: RecorderTrial) => void;
  readonly skip: ComponentChildren;
}) {
  const { current, onConnected, skip } = props;
  const action = useAction();
  const { busy, failure, run } = action;
  const [tried, setTried] = useState<Tried>();
  const field = useRef<HTMLInputElement>(null);
  const isReadOnly = failure instanceof ApiFailure && failure.status === 409;
  const isOpen = tried?.trial.everybody_is_admin === true;

  const connect = async (address: string) =>
    onConnected(await bodyOf(recorderAddressApi.index.$put({ json: { address } })));
  const ask = async (address: string) => {
    setTried(undefined);
    const trial = await bodyOf(recorderAddressApi.index.$post({ json: { address } }));
    setTried({ address, trial });
    if (trial.fault === null && !trial.everybody_is_admin) await connect(address);
    else field.current?.focus();
  };
  const useSafer = (address: string) => {
    if (field.current !== null) field.current.value = address;
    run(() => ask(address));
  };
  const fault = tried?.trial.fault ?? null;
  const safer = tried && saferAddress(tried.address);
  return (
    <>
      <Form
        action={action}
        onSubmit={(form) => ask(typedAddress(fieldOf(form, 'address')))}
        submit={isOpen ? undefined : firstRun.connect}
        notice={isReadOnly ? <></> : undefined}
        below={
          isOpen ? (
            <>
              {safer !== undefined && (
                <button type="button" disabled={busy} aria-busy={busy} onClick={() => useSafer(safer)}>
                  {firstRun.useSafer}
                </button>
              )}
              <button
                type="button"
                class="quiet"
                disabled={busy}
                onClick={() => run(() => connect(tried.address))}
              >
                {firstRun.useAnyway}
              </button>
            </>
          ) : (
            skip
          )
        }
      >
        <Field
          label={firstRun.address}
          hint={firstRun.addressHint}
          {...asTyped}
          name="address"
          class="secret"
          inputMode="url"
          placeholder="http://192.168.1.20:8971"
          defaultValue={current ?? ''}
          maxLength={256}
          aria-invalid={fault !== null || isOpen}
          inputRef={field}
          onInput={() => setTried(undefined)}
          required
        />
        <div role="alert">
          {fault !== null && <Fault {...firstRun.faults[fault]} />}
          {isOpen && <Fault {...firstRun.everybody} />}
          {isReadOnly && <Fault {...firstRun.readOnly} />}
        </div>
      </Form>
      {isReadOnly && tried !== undefined && (
        <>
          <CopiedText label="config.yml" value={`upstream: ${tried.address}`} />
          <small>{firstRun.byHandHint}</small>
        </>
      )}
    </>
  );
}

function Fault({ says, todo }: { readonly says: string; readonly todo: string }) {
  return (
    <p class="notice failure">
      <strong>{says}</strong> {todo}
    </p>
  );
}

// More would need a list; Home has one.
const most = 10;

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
