import { firstRun } from '#language/first-run';
import { useState } from 'preact/hooks';
import { ApiFailure, bodyOf, recorderAddressApi, type RecorderTrial } from '../../api-client.ts';
import { Cameras } from './cameras.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { useAction } from '../../ui/forms/use-action.ts';

/** Checks whether there is a recorder at an address, and connects it. */
export function RecorderForm(props: {
  readonly current: string | null;
  readonly onConnected: (found: RecorderTrial) => void;
}) {
  const { current, onConnected } = props;
  const action = useAction();
  const { busy, failure, run } = action;
  const [tried, setTried] = useState<{ readonly address: string; readonly trial: RecorderTrial }>();
  const isReadOnly = failure instanceof ApiFailure && failure.status === 409;

  const ask = async (form: FormData) => {
    setTried(undefined);
    const address = addressOf(fieldOf(form, 'address'));
    setTried({ address, trial: await bodyOf(recorderAddressApi.index.$post({ json: { address } })) });
  };
  const connect = async (address: string) =>
    onConnected(await bodyOf(recorderAddressApi.index.$put({ json: { address } })));

  return (
    <>
      <Form
        action={action}
        onSubmit={ask}
        submit={firstRun.ask}
        submitClass={tried === undefined ? '' : 'secondary outline'}
        notice={isReadOnly ? <></> : undefined}
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
          onInput={() => setTried(undefined)}
          required
        />
      </Form>
      <div role="status">
        {tried !== undefined && (
          <Trial {...tried} busy={busy} onConnect={() => run(() => connect(tried.address))} />
        )}
        {isReadOnly && <p class="notice failure">{firstRun.readOnly}</p>}
      </div>
      {tried?.trial.fault === null && (
        <details class="more" open={isReadOnly}>
          <summary>{firstRun.byHand}</summary>
          <CopiedText label="config.yml" value={`upstream: ${tried.address}`} />
          <small>{firstRun.byHandHint}</small>
        </details>
      )}
    </>
  );
}

function Trial(props: {
  readonly trial: RecorderTrial;
  readonly busy: boolean;
  readonly onConnect: () => void;
}) {
  const { fault, cameras, version, everybody_is_admin: allAreAdmins } = props.trial;
  if (fault !== null) return <p class="notice failure">{firstRun.faults[fault]}</p>;
  return (
    <div class="notice success">
      <p>{firstRun.found(cameras.length, version)}</p>
      <Cameras names={cameras} />
      {allAreAdmins && <p>{firstRun.everybody}</p>}
      <p>
        <button type="button" disabled={props.busy} aria-busy={props.busy} onClick={props.onConnect}>
          {firstRun.connect}
        </button>
      </p>
    </div>
  );
}

/** Users type what the recorder shows: a name and a port. */
function addressOf(typed: string): string {
  const address = typed.trim();
  return /^(?:https?:\/\/|unix:)/i.test(address) ? address : `http://${address}`;
}
