import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A dialog over the page: Escape and a click beside it close it, and the focus goes back where it was. */
export function Modal({ title, onClose, wide = false, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : undefined}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <article>
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="close" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </article>
    </dialog>
  );
}
