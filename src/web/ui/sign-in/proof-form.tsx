import { useEffect, useRef, useState } from 'preact/hooks';
import { asTyped, Field } from '../forms/field.tsx';
import { Form } from '../forms/form.tsx';
import { fieldOf, useLimitedAction } from '../forms/form-action.ts';
import { hasPasskeys } from '../page-marks.ts';
import type { Proof } from './login-steps.ts';
import { showPasskey, type PasskeyOptions } from './passkeys.ts';
import { fill, text } from '../../text.ts';
import { secondsText } from '../time-text.ts';

/** Ways to prove an identity. */
export type ProofKind = 'passkey' | 'code' | 'recovery_code' | 'password';
type Typed = Exclude<ProofKind, 'passkey'>;

const order: readonly Typed[] = ['code', 'password', 'recovery_code'];

/** Asks for a passkey, a code or a password: one at a time, of the user's choice. */
export function ProofForm(props: {
  readonly kinds: readonly ProofKind[];
  /** The user whose password it asks for. */
  readonly user?: string;
  readonly optionsOf: () => Promise<PasskeyOptions<PublicKeyCredentialRequestOptionsJSON>>;
  readonly onProof: (proof: Proof) => Promise<void>;
  readonly onCancel: () => void;
  readonly cancel: string;
}) {
  const { kinds, user, optionsOf, onProof, onCancel, cancel } = props;
  const action = useLimitedAction();
  const { busy, failure, run, wait } = action;
  const mayShow = kinds.includes('passkey') && hasPasskeys();
  const typed = order.filter((kind) => kinds.includes(kind));
  // A user with a passkey and otherwise only recovery codes sees no field at first.
  const [chosen, choose] = useState<Typed | undefined>(
    mayShow && typed[0] === 'recovery_code' ? undefined : typed[0],
  );
  // An error of another way does not help.
  const [tried, setTried] = useState<ProofKind>();
  const isTold = tried === 'passkey' || tried === chosen;
  // The attribute works once per page, and this may appear later.
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[autofocus]')?.focus(), [chosen]);
  const showOne = () =>
    run(async () => {
      setTried('passkey');
      await onProof({ passkey: await showPasskey(await optionsOf()) });
    });
  const send = async (fields: FormData) => {
    if (chosen === undefined) return;
    setTried(chosen);
    await onProof(proofOf(chosen, fieldOf(fields, chosen)));
  };
  return (
    <Form
      class="proof"
      formRef={form}
      action={{ ...action, failure: isTold ? failure : undefined }}
      focusBack={tried === 'passkey' ? 'button' : `[name='${tried}']`}
      onSubmit={send}
      submit={
        chosen && (wait > 0 ? fill(text.login.retryIn, { wait: secondsText(wait) }) : text.proofs.confirm)
      }
      submitClass={mayShow ? 'secondary' : undefined}
      waits={wait > 0}
      cancel={
        <button type="button" class="secondary outline" disabled={busy} onClick={onCancel}>
          {cancel}
        </button>
      }
      below={typed
        .filter((kind) => kind !== chosen)
        .map((kind) => (
          <button key={kind} type="button" class="as-link" disabled={busy} onClick={() => choose(kind)}>
            {text.proofs.instead[kind]}
          </button>
        ))}
    >
      {mayShow && (
        <button type="button" autofocus={chosen === undefined} disabled={busy || wait > 0} onClick={showOne}>
          {text.proofs.usePasskey}
        </button>
      )}
      {mayShow && chosen !== undefined && <p class="or">{text.login.or}</p>}
      {user !== undefined && <input name="username" autocomplete="username" value={user} readOnly hidden />}
      {kinds.includes('passkey') && !mayShow && <p class="notice">{text.proofs.noPasskeysHere}</p>}
      {chosen !== undefined && <ProofField key={chosen} kind={chosen} />}
    </Form>
  );
}

function ProofField({ kind }: { readonly kind: Typed }) {
  if (kind === 'code') return <CodeField autofocus />;
  const own =
    kind === 'password'
      ? ({ type: 'password', autocomplete: 'current-password' } as const)
      : { ...asTyped, class: 'code', maxLength: 64 };
  return <Field label={text.proofs.fields[kind]} name={kind} {...own} autofocus required />;
}

/** Six digits as an app shows them, perhaps with a space in the middle. `codeOf` reads it. */
export function CodeField({ autofocus = false }: { readonly autofocus?: boolean }) {
  return (
    <Field
      label={text.proofs.fields.code}
      name="code"
      class="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="\s*(?:[0-9]\s*){6}"
      title={text.proofs.codeForm}
      maxLength={12}
      autofocus={autofocus}
      required
    />
  );
}

/** @returns the typed digits */
export function codeOf(typed: string): string {
  return typed.replace(/\s/g, '');
}

function proofOf(kind: Typed, value: string): Proof {
  if (kind === 'code') return { code: codeOf(value) };
  return kind === 'password' ? { password: value } : { recovery_code: value.trim() };
}

export function kindOf(proof: Proof): ProofKind {
  if ('passkey' in proof) return 'passkey';
  if ('code' in proof) return 'code';
  return 'password' in proof ? 'password' : 'recovery_code';
}
