import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isDeparting } from '../../departure.ts';
import { Form } from './form.tsx';
import { fillAgain, noteForm } from './kept-input.ts';
import { Modal } from './modal.tsx';
import { text } from '../../text.ts';
import { useAction } from './form-action.ts';

/** Props of every dialog. */
export interface DialogProps<Result = void> {
  readonly onClose: () => void;
  /** It was done. */
  readonly onDone: (result: Result) => void;
}

interface FormDialogProps<Result> extends DialogProps<Result> {
  readonly title: string;
  /** The label of the submit button. */
  readonly submit: string;
  readonly danger?: boolean;
  /** Does the work; the dialog closes on success. */
  readonly onSubmit: (form: FormData) => Promise<Result>;
  /** Returns what the user has to confirm first, or `undefined` if there is nothing to confirm. */
  readonly preview?: (form: FormData) => Promise<Preview | undefined>;
  readonly children: ComponentChildren;
}

/** The effect of a change, and the label of the button that makes it. */
export interface Preview {
  readonly title: string;
  readonly content: ComponentChildren;
  readonly confirm: string;
}

/** A dialog that asks for input or a confirmation. Closing it by mistake does not lose the input. */
export function FormDialog<Result = void>({
  title,
  submit,
  danger = false,
  onClose,
  onDone,
  onSubmit,
  preview,
  children,
}: FormDialogProps<Result>) {
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  const [isAsking, setAsking] = useState(false);
  const asks = useUnsaved(form, () => setAsking(true));
  const [previewed, setPreviewed] = useState<Preview & { readonly fields: FormData }>();
  const finish = async (fields: FormData) => {
    onDone(await onSubmit(fields));
    onClose();
  };
  return (
    <>
      {/* Stands before the other one: Preact removes it first when both close, so that the page behind can take the focus. */}
      {isAsking && (
        <Modal title={text.dialogs.discard} onClose={() => setAsking(false)}>
          <p>{text.dialogs.discardHint}</p>
          <footer class="dialog-buttons">
            <button type="button" class="secondary outline" autofocus onClick={() => setAsking(false)}>
              {text.dialogs.keepEditing}
            </button>
            <button type="button" class="danger" onClick={onClose}>
              {text.dialogs.discardIt}
            </button>
          </footer>
        </Modal>
      )}
      {previewed !== undefined && (
        <Modal title={previewed.title} busy={action.busy} onClose={() => setPreviewed(undefined)}>
          {previewed.content}
          <footer class="dialog-buttons">
            <button
              type="button"
              class="secondary outline"
              disabled={action.busy}
              autofocus
              onClick={() => setPreviewed(undefined)}
            >
              {text.dialogs.keepEditing}
            </button>
            <button
              type="button"
              aria-busy={action.busy}
              disabled={action.busy}
              onClick={() =>
                action.run(() => finish(previewed.fields).finally(() => setPreviewed(undefined)))
              }
            >
              {previewed.confirm}
            </button>
          </footer>
        </Modal>
      )}
      <Modal title={title} busy={action.busy} asks={asks} onClose={onClose}>
        <Form
          formRef={form}
          action={action}
          onSubmit={async (fields) => {
            const found = await preview?.(fields);
            if (found === undefined) await finish(fields);
            else setPreviewed({ ...found, fields });
          }}
          submit={submit}
          submitClass={danger ? 'danger' : undefined}
          cancel={
            <button
              type="button"
              class="secondary outline"
              disabled={action.busy}
              autofocus={danger}
              onClick={onClose}
            >
              {text.actions.cancel}
            </button>
          }
        >
          {children}
        </Form>
      </Modal>
    </>
  );
}

/**
 * Asks for confirmation before changed input is lost, also when the page is left.
 * @returns whether it has asked; nothing is asked if nothing was changed
 */
function useUnsaved(form: { readonly current: HTMLFormElement | null }, ask: () => void): () => boolean {
  const first = useRef('');
  const asks = () => {
    const isChanged = form.current !== null && first.current !== contentOf(form.current);
    if (isChanged) ask();
    return isChanged;
  };
  useLayoutEffect(() => {
    if (form.current === null) return undefined;
    first.current = contentOf(form.current);
    fillAgain(form.current);
    noteForm(form.current);
    return () => noteForm(undefined);
  }, []);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isDeparting() && form.current !== null && first.current !== contentOf(form.current))
        event.preventDefault();
    };
    // Back within the site: browsers without this event go back unasked.
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType === 'traverse' && event.cancelable && asks()) event.preventDefault();
    };
    const { navigation } = window as { readonly navigation?: Navigation };
    addEventListener('beforeunload', onUnload);
    navigation?.addEventListener('navigate', onNavigate);
    return () => {
      removeEventListener('beforeunload', onUnload);
      navigation?.removeEventListener('navigate', onNavigate);
    };
  }, []);
  return asks;
}

function contentOf(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)]);
}
