import type { ComponentChildren } from 'preact';
import { Modal } from './modal.tsx';
import { FailureNotice } from './notices.tsx';
import { useAction } from './use-action.ts';

interface FormDialogProps {
  readonly title: string;
  /** What the button that does it says. */
  readonly submit: string;
  readonly danger?: boolean;
  readonly onClose: () => void;
  /** Does it; the dialog closes when that went well. */
  readonly onSubmit: (form: FormData) => Promise<void>;
  readonly children: ComponentChildren;
}

/** A dialog that asks for something, or for a confirmation. */
export function FormDialog({ title, submit, danger = false, onClose, onSubmit, children }: FormDialogProps) {
  const { busy, failure, run } = useAction();
  return (
    <Modal title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          run(async () => {
            await onSubmit(form);
            onClose();
          });
        }}
      >
        {children}
        <FailureNotice error={failure} />
        <footer>
          <button type="button" class="secondary outline" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={danger ? 'danger' : undefined} disabled={busy} aria-busy={busy}>
            {submit}
          </button>
        </footer>
      </form>
    </Modal>
  );
}

/** @returns the text of a field */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
