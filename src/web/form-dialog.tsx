import type { ComponentChildren } from 'preact';
import { Modal } from './modal.tsx';
import { FailureNotice } from './notices.tsx';
import { text } from './text.ts';
import { useAction } from './use-action.ts';

/** What every dialog is told by the page that opens it. */
export interface DialogProps {
  readonly onClose: () => void;
  /** It was done. */
  readonly onDone: () => void;
}

interface FormDialogProps extends DialogProps {
  readonly title: string;
  /** What the button that does it says. */
  readonly submit: string;
  readonly danger?: boolean;
  /** Does it; the dialog closes when that went well. */
  readonly onSubmit: (form: FormData) => Promise<void>;
  readonly children: ComponentChildren;
}

/** A dialog that asks for something, or for a confirmation. */
export function FormDialog({
  title,
  submit,
  danger = false,
  onClose,
  onDone,
  onSubmit,
  children,
}: FormDialogProps) {
  const { busy, failure, run } = useAction();
  return (
    <Modal title={title} busy={busy} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          run(async () => {
            await onSubmit(form);
            onDone();
            onClose();
          });
        }}
      >
        {children}
        <FailureNotice error={failure} />
        <footer>
          <button
            type="button"
            class="secondary outline"
            disabled={busy}
            autofocus={danger}
            onClick={onClose}
          >
            {text.common.cancel}
          </button>
          <button type="submit" class={danger ? 'danger' : undefined} disabled={busy} aria-busy={busy}>
            {submit}
          </button>
        </footer>
      </form>
    </Modal>
  );
}
