import { useRef, useState } from 'preact/hooks';
import { text } from '../../text.ts';
import { showToast } from '../toasts.tsx';

/** Copies the address of an event; where the browser forbids that (without TLS), it shows and selects the address. */
export function CopyLink({ path }: { readonly path: string }) {
  const [failed, setFailed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const url = new URL(path, location.origin).href;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setFailed(false);
      showToast(text.events.linkCopied);
    } catch {
      setFailed(true);
      requestAnimationFrame(() => {
        field.current?.focus();
        field.current?.select();
      });
    }
  };
  return (
    <>
      <button type="button" class="secondary outline" onClick={() => void copy()}>
        {text.events.copyLink}
      </button>
      {failed && (
        <label class="whole-row">
          {text.events.copyYourself}
          <input ref={field} readOnly value={url} />
        </label>
      )}
    </>
  );
}
