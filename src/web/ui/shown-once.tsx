import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Modal } from './forms/modal.tsx';
import { isOfThisComputer } from './site-address.ts';
import { fill, text } from '../text.ts';

/** Shows a secret once, to be copied. Only an explicit action closes the dialog. */
export function ShownOnce(props: {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  /** Before and after the secret. */
  readonly children: ComponentChildren;
  readonly below: ComponentChildren;
  /** Says why the secret is of no use yet. */
  readonly warning?: ComponentChildren;
  /** More buttons. */
  readonly actions?: ComponentChildren;
  readonly done: string;
  readonly onClose: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [status, setStatus] = useState('');
  // The field is focused and its text selected: screen readers announce it, and it can be copied by hand.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(props.value);
      setStatus(text.copying.copied);
    } catch {
      // Browsers allow no copying on a page without TLS.
      field.current?.focus();
      setStatus(text.copying.notCopied);
    }
  };
  return (
    <Modal title={props.title} firm onClose={props.onClose}>
      <p>{props.children}</p>
      {props.warning}
      <label>
        {props.label}
        <textarea
          ref={field}
          class="secret"
          dir="ltr"
          value={props.value}
          rows={props.rows}
          readOnly
          spellcheck={false}
        />
      </label>
      <p>
        <small>{props.below}</small>
      </p>
      <p role="status" class={status === '' ? 'hidden-text' : 'notice'}>
        {status}
      </p>
      <footer class="dialog-buttons">
        <button type="button" class="quiet" onClick={props.onClose}>
          {props.done}
        </button>
        {props.actions}
        <button type="button" onClick={() => void copy()}>
          {text.copying.copy}
        </button>
      </footer>
    </Modal>
  );
}

/** A link that is shown once. Phones can send it by their share menu. */
export function LinkShownOnce(props: {
  readonly title: string;
  readonly url: string;
  readonly rows: number;
  readonly words: Readonly<Record<'link' | 'send' | 'done' | 'copyNow' | 'notShownAgain', string>>;
  readonly below: ComponentChildren;
  readonly onClose: () => void;
}) {
  const { title, url, rows, words, below, onClose } = props;
  const send = () => void navigator.share({ url }).catch(() => undefined);
  return (
    <ShownOnce
      title={title}
      label={words.link}
      value={url}
      rows={rows}
      below={below}
      warning={<OnlyHere url={url} />}
      actions={
        'share' in navigator && (
          <button type="button" class="outline" onClick={send}>
            {words.send}
          </button>
        )
      }
      done={words.done}
      onClose={onClose}
    >
      {words.copyNow} <strong>{words.notShownAgain}</strong>
    </ShownOnce>
  );
}

function OnlyHere({ url }: { readonly url: string }) {
  const address = new URL(url);
  return (
    isOfThisComputer(address) && (
      <p class="notice">{fill(text.copying.onlyHere, { address: address.host })}</p>
    )
  );
}

/** A text to paste elsewhere, with a copy button. */
export function CopiedText({ label, value }: { readonly label: string; readonly value: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [status, setStatus] = useState('');
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      setStatus(text.copying.copied);
    } catch {
      // Browsers allow no copying on a page without TLS.
      field.current?.focus();
      setStatus(text.copying.notCopied);
    }
  };
  return (
    <div class="copied-text">
      <textarea
        ref={field}
        class="secret"
        dir="ltr"
        aria-label={label}
        value={value}
        rows={2}
        readOnly
        spellcheck={false}
      />
      <button type="button" class="secondary outline" onClick={() => void copy()}>
        {text.copying.copy}
      </button>
      <small role="status">{status}</small>
    </div>
  );
}
