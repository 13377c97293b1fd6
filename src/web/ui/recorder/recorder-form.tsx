import { useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { bodyOf, recorderAddressApi, ApiFailure, type RecorderTrial } from '../../api-client.ts';
import { CopiedText } from '../shown-once.tsx';
import { text } from '../../text.ts';
import { asTyped, Field } from '../forms/field.tsx';
import { Form } from '../forms/form.tsx';
import { fieldOf, useAction } from '../forms/form-action.ts';
import { saferAddress } from './safer-address.ts';

const firstRun = text.firstRun;

interface Tried {
  readonly address: string;
  readonly trial: RecorderTrial;
}

/** Asks whether there is a recorder at an address, and connects it if everyone is safe there. */
export function RecorderForm(props: {
  readonly current: string | null;
  readonly onConnected: (found: RecorderTrial) => void;
  readonly skip?: ComponentChildren;
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
    setTried({ address: trial.address, trial });
    if (trial.fault === null && field.current !== null) field.current.value = trial.address;
    if (trial.fault === null && !trial.everybody_is_admin) await connect(trial.address);
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
        onSubmit={(form) => ask(fieldOf(form, 'address').trim())}
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
          placeholder="192.168.1.20"
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
