import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '../../text.ts';

interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** Something is being done: the dialog stays until it is known how that ended. */
  readonly busy?: boolean;
  /** A click beside it does not close it. */
  readonly firm?: boolean;
  /** Asks before it is closed. @returns whether it has; it stays open then */
  readonly asks?: () => boolean;
  /** Where the focus goes after, where that is not what opened the dialog. */
  readonly backTo?: () => HTMLElement | null;
  readonly children: ComponentChildren;
}

/** A dialog over the page: Escape and, but for a firm one, a click beside it close it, and the focus goes back where it was. */
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
  // A layout effect: it ends with the dialog, and not when another one may be open.
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
        // Of a select or the like within.
        if (event.target === event.currentTarget && (busy || asks())) event.preventDefault();
      }}
      // A browser lets nobody hold on to a second Escape, but to its key.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
        event.stopPropagation();
        if (busy || asks()) event.preventDefault();
      }}
      // Not a click, which also ends a selection that began inside.
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !firm) close();
      }}
    >
      <article>
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="close" aria-label={text.actions.close} disabled={busy} onClick={close}>
            ✕
          </button>
        </header>
        {children}
      </article>
    </dialog>
  );
}
