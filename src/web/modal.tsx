import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { text } from './text.ts';

interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Something is being done: the dialog stays until it is known how that ended. */
  readonly busy?: boolean;
  /** A click beside it does not close it. */
  readonly firm?: boolean;
  readonly children: ComponentChildren;
}

/** A dialog over the page: Escape and, but for a firm one, a click beside it close it, and the focus goes back where it was. */
export function Modal({ title, onClose, wide = false, busy = false, firm = false, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isLeaving = useRef(false);
  // A layout effect: it ends with the dialog, and not when another one may be open.
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      isLeaving.current = true;
      element?.close();
      // The browser does so only for a dialog that is still in the page.
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : undefined}
      aria-labelledby={heading}
      onClose={() => {
        if (!isLeaving.current) onClose();
      }}
      onCancel={(event) => {
        if (busy) event.preventDefault();
      }}
      // Not a click, which also ends a selection that began inside.
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !busy && !firm) onClose();
      }}
    >
      <article>
        <header>
          <h2 id={heading}>{title}</h2>
          <button
            type="button"
            class="close"
            aria-label={text.common.close}
            disabled={busy}
            onClick={onClose}
          >
            ✕
          </button>
        </header>
        {children}
      </article>
    </dialog>
  );
}
