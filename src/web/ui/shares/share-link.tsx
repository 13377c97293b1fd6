import { useEffect, useRef, useState } from 'preact/hooks';
import { Modal } from '../forms/modal.tsx';
import type { MadeShare } from './share-form.tsx';
import { text } from '../../text.ts';
import { timeText } from '../time-text.ts';

/** The new link. Only an explicit action closes it: it is never shown again. */
export function ShareLink({ made, onClose }: { readonly made: MadeShare; readonly onClose: () => void }) {
  const words = text.shares;
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
      await navigator.clipboard.writeText(made.url);
      setStatus(text.copying.copied);
    } catch {
      // Browsers allow no copying on a page without TLS.
      field.current?.focus();
      setStatus(text.copying.notCopied);
    }
  };
  // Opens the phone's share menu.
  const send = () => void navigator.share({ url: made.url }).catch(() => undefined);
  return (
    <Modal title={words.made} firm onClose={onClose}>
      <p>
        {words.copyNow} <strong>{words.notShownAgain}</strong>
      </p>
      <label>
        {words.link}
        <textarea
          ref={field}
          class="secret"
          dir="ltr"
          value={made.url}
          rows={4}
          readOnly
          spellcheck={false}
        />
      </label>
      <p>
        <small>
          {words.whoeverHas(timeText(made.expiresAt))} {made.hasPassword && words.withPassword} {words.endIt}
        </small>
      </p>
      <p role="status" class={status === '' ? 'hidden-text' : 'notice success'}>
        {status}
      </p>
      <footer class="dialog-buttons">
        {'share' in navigator && (
          <button type="button" class="secondary outline" onClick={send}>
            {words.send}
          </button>
        )}
        <button type="button" class="secondary outline" onClick={() => void copy()}>
          {text.copying.copy}
        </button>
        <button type="button" onClick={onClose}>
          {words.done}
        </button>
      </footer>
    </Modal>
  );
}
