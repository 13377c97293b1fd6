import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useFocusBack, type Action } from './form-action.ts';
import { FailureNotice } from '../notices.tsx';

interface FormProps {
  /** The form's action and its result. */
  readonly action: Action;
  readonly onSubmit: (fields: FormData, form: HTMLFormElement) => Promise<void>;
  /** The label of the submit button. `undefined` if there is none. */
  readonly submit: string | undefined;
  readonly submitClass?: string | undefined;
  /** The button is disabled: a limit was reached. */
  readonly waits?: boolean;
  /** Beside that button, in a footer. */
  readonly cancel?: ComponentChildren;
  /** Replaces the failure. */
  readonly notice?: ComponentChildren;
  /** Selects the element that takes the focus after a failure. The default is the submit button. */
  readonly focusBack?: string;
  readonly class?: string;
  readonly formRef?: { current: HTMLFormElement | null };
  readonly children: ComponentChildren;
  /** Below the buttons. */
  readonly below?: ComponentChildren;
}

/** Fields, the last failure, and the submit button. */
export function Form(props: FormProps) {
  const { action, onSubmit, submit, cancel, notice, focusBack = '[type=submit]' } = props;
  const { busy, failure, run } = action;
  const own = useRef<HTMLFormElement>(null);
  const form = props.formRef ?? own;
  useFocusBack(action, () => form.current?.querySelector<HTMLElement>(focusBack));
  const button = submit !== undefined && (
    <button type="submit" class={props.submitClass} disabled={busy || props.waits === true} aria-busy={busy}>
      {submit}
    </button>
  );
  return (
    <form
      ref={form}
      // If the browser ever submits it by itself, no password appears in the address.
      method="post"
      class={props.class}
      onSubmit={(event) => {
        event.preventDefault();
        const element = event.currentTarget;
        const fields = new FormData(element);
        run(() => onSubmit(fields, element));
      }}
    >
      {props.children}
      {notice ?? <FailureNotice error={failure} />}
      {cancel === undefined ? (
        button
      ) : (
        <footer>
          {cancel}
          {button}
        </footer>
      )}
      {props.below}
    </form>
  );
}
