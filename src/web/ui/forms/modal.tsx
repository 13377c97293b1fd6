import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../drawings.tsx';
import { text } from '../../text.ts';

interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Work is in progress: the dialog stays until it ends. */
  readonly busy?: boolean;
  /** A click outside does not close it. */
  readonly firm?: boolean;
  /** Asks before it closes. @returns whether it asked; then it stays open */
  readonly asks?: () => boolean;
  /** Takes the focus after closing. The default is the element that opened the dialog. */
  readonly backTo?: () => HTMLElement | null;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape closes it, and a click outside unless it is firm. The focus returns to where it was. */
export function Modal({
  title,
  onClose,
  wide = false,
  busy = false,
  firm = false,
  asks = () => false,
  backTo,
  children,
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isLeaving = useRef(false);
  const latestBackTo = useRef(backTo);
  latestBackTo.current = backTo;
  // A layout effect: it is cleaned up with the dialog, before another one may open.
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      isLeaving.current = true;
      element?.close();
      // The browser does so only for a dialog that is still in the page.
      const target = latestBackTo.current?.() ?? opener;
      if (target instanceof HTMLElement) target.focus();
    };
  }, []);
  const close = () => {
    if (!busy && !asks()) onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : undefined}
      aria-labelledby={heading}
      onClose={() => {
        if (!isLeaving.current) onClose();
      }}
      onCancel={(event) => {
        // Not a cancel event from a select or the like inside.
        if (event.target === event.currentTarget && (busy || asks())) event.preventDefault();
      }}
      // Browsers let a second Escape close the dialog; only its key event can be blocked.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
        event.stopPropagation();
        if (busy || asks()) event.preventDefault();
      }}
      // Not `click`, which also ends a selection that began inside.
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !firm) close();
      }}
    >
      <article>
        <header>
          <h2 id={heading}>{title}</h2>
          <button
            type="button"
            class="quiet icon close"
            aria-label={text.actions.close}
            disabled={busy}
            onClick={close}
          >
            <Icon name="x" />
          </button>
        </header>
        {children}
      </article>
    </dialog>
  );
}
