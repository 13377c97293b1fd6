import { agentText } from '../../ui/sessions/agent-text.ts';
import { ApiFailure, FormProblem } from '../../api-client.ts';
import { CopiedText } from '../../ui/shown-once.tsx';
import {
  addCode,
  addPasskey,
  beginPasskey,
  makeRecoveryCodes,
  removeCode,
  removePasskey,
  type CodeSetup,
  type MadeCodes,
  type OwnPasskey,
} from '../../ui/sign-in/factors-api.ts';
import { Field } from '../../ui/forms/field.tsx';
import { FormDialog, type DialogProps } from '../../ui/forms/form-dialog.tsx';
import { fieldOf } from '../../ui/forms/form-action.ts';
import { makePasskey } from '../../ui/sign-in/passkeys.ts';
import { CodeField, codeOf } from '../../ui/sign-in/proof-form.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { fill, text } from '../../text.ts';

interface AddedPasskey {
  readonly id: string;
  /** Recovery codes created with the first factor. */
  readonly codes: readonly string[];
}

export function AddPasskey(
  props: DialogProps<AddedPasskey> & {
    /** Also create recovery codes: the user has none. */
    readonly withCodes: boolean;
  },
) {
  const { withCodes, ...dialog } = props;
  const add = async (form: FormData) => {
    const answer = await makePasskey(await beginPasskey());
    const { id } = await addPasskey(fieldOf(form, 'name').trim(), answer);
    // The passkey exists even if this fails: the page then shows that codes are missing, and offers to create some.
    const made = withCodes ? await makeRecoveryCodes().catch(() => undefined) : undefined;
    return { id, codes: made?.recovery_codes ?? [] };
  };
  return (
    <FormDialog title={text.methods.addPasskey} submit={text.factorDialogs.goOn} onSubmit={add} {...dialog}>
      <p>{text.factorDialogs.passkeyMeans}</p>
      <Field
        label={text.factorDialogs.passkeyName}
        hint={text.factorDialogs.passkeyNameHint}
        name="name"
        autocomplete="off"
        maxLength={64}
        defaultValue={agentText(navigator.userAgent).slice(0, 64)}
        autofocus
        required
      />
    </FormDialog>
  );
}

export function SetUpCode({ setup, ...dialog }: DialogProps<MadeCodes> & { readonly setup: CodeSetup }) {
  const confirm = (form: FormData) =>
    addCode(setup.state, codeOf(fieldOf(form, 'code'))).catch((error: unknown) => {
      throw error instanceof ApiFailure && error.status === 422
        ? new FormProblem(text.factorDialogs.wrongCode)
        : error;
    });
  return (
    <FormDialog title={text.methods.setUpCode} submit={text.proofs.confirm} onSubmit={confirm} {...dialog}>
      <div class="code-setup">
        <QrCode value={setup.url} label={text.factorDialogs.qrCode} />
        <div>
          {/* A phone cannot scan its own screen. */}
          <p class="by-touch">
            <a class="button" href={setup.url}>
              {text.factorDialogs.openApp}
            </a>
          </p>
          <p class="by-mouse">{text.factorDialogs.scan}</p>
          <p>
            <small>{text.factorDialogs.orType}</small>
          </p>
          <CopiedText label={text.factorDialogs.secret} value={inGroups(setup.secret)} />
        </div>
      </div>
      <CodeField autofocus />
    </FormDialog>
  );
}

export function RemovePasskey(
  props: DialogProps & {
    readonly passkey: OwnPasskey;
    readonly isLast: boolean;
    readonly isRequired: boolean;
  },
) {
  const { passkey, isLast, isRequired, ...dialog } = props;
  return (
    <FormDialog
      title={fill(text.factorDialogs.removeQuestion, { name: passkey.name })}
      submit={text.factorDialogs.removePasskey}
      danger
      onSubmit={async () => void (await removePasskey(passkey.id))}
      {...dialog}
    >
      <p>{text.factorDialogs.removePasskeyMeans}</p>
      {isLast && <LastFactor isRequired={isRequired} />}
    </FormDialog>
  );
}

export function RemoveCode(props: DialogProps & { readonly isLast: boolean; readonly isRequired: boolean }) {
  const { isLast, isRequired, ...dialog } = props;
  return (
    <FormDialog
      title={text.factorDialogs.removeCodeQuestion}
      submit={text.factorDialogs.removeCode}
      danger
      onSubmit={async () => void (await removeCode())}
      {...dialog}
    >
      <p>{text.factorDialogs.removeCodeMeans}</p>
      {isLast && <LastFactor isRequired={isRequired} />}
    </FormDialog>
  );
}

function LastFactor({ isRequired }: { readonly isRequired: boolean }) {
  return <p>{isRequired ? text.factorDialogs.lastRequired : text.factorDialogs.last}</p>;
}

export function RenewCodes({ left, ...dialog }: DialogProps<MadeCodes> & { readonly left: number }) {
  return (
    <FormDialog
      title={text.factorDialogs.renewQuestion}
      submit={text.factorDialogs.renew}
      onSubmit={makeRecoveryCodes}
      {...dialog}
    >
      <p>{left === 0 ? text.factorDialogs.makeMeans : text.factorDialogs.renewMeans}</p>
    </FormDialog>
  );
}

export { RecoveryCodes } from './recovery-codes.tsx';

/** In groups, for reading aloud. */
function inGroups(secret: string): string {
  return secret.replace(/.{4}(?!$)/g, '$& ');
}
