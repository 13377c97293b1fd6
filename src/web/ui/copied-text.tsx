import { useRef, useState } from 'preact/hooks';
import { text } from '../text.ts';

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
