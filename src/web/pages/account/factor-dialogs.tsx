import { useState } from 'preact/hooks';
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
import { Modal } from '../../ui/forms/modal.tsx';
import { useProfile } from '../../profile.ts';
import { dateText } from '../../ui/time-text.ts';

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
          <p class="by-mouse">
            <small>{text.factorDialogs.orType}</small>
          </p>
          <p class="by-touch">
            <small>{text.factorDialogs.typeIt}</small>
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

/** In groups, for reading aloud. */
function inGroups(secret: string): string {
  return secret.replace(/.{4}(?!$)/g, '$& ');
}

/** Recovery codes, shown once. Only an explicit action closes them. */
export function RecoveryCodes({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  const { username } = useProfile();
  const [status, setStatus] = useState('');
  const title = fill(text.factorDialogs.codesOf, {
    user: username,
    site: location.host,
    date: dateText(Date.now() / 1_000),
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      setStatus(text.copying.copied);
    } catch {
      // Browsers allow no copying on a page without TLS.
      setStatus(text.factorDialogs.notCopied);
    }
  };
  const download = () => {
    const address = URL.createObjectURL(
      new Blob([`${title}\n\n${codes.join('\n')}\n`], { type: 'text/plain' }),
    );
    const link = Object.assign(document.createElement('a'), {
      href: address,
      download: `postern-recovery-codes-${username}.txt`,
    });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Modal
      title={text.methods.recoveryCodes}
      firm
      asks={() => {
        setStatus(text.factorDialogs.keepFirst);
        return true;
      }}
      onClose={onClose}
    >
      <p>
        {text.factorDialogs.codesMean} <strong>{text.factorDialogs.shownOnce}</strong>
      </p>
      <div class="recovery-codes">
        <p class="printed">{title}</p>
        <ol dir="ltr" aria-label={text.methods.recoveryCodes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div class="copy-actions">
        <button type="button" onClick={() => void copy()}>
          {text.copying.copy}
        </button>
        <button type="button" class="secondary outline" onClick={download}>
          {text.factorDialogs.download}
        </button>
        <button type="button" class="secondary outline" onClick={() => print()}>
          {text.factorDialogs.print}
        </button>
      </div>
      <p role="status" class={status === '' ? 'hidden-text' : 'notice'}>
        {status}
      </p>
      <footer class="dialog-buttons">
        <button type="button" class="quiet" autofocus onClick={onClose}>
          {text.factorDialogs.kept}
        </button>
      </footer>
    </Modal>
  );
}
