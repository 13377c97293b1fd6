import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useFocusBack } from './focus-back.ts';
import { FailureNotice } from '../notices.tsx';
import type { Action } from './use-action.ts';

interface FormProps {
  /** What the form does, and what came of it. */
  readonly action: Action;
  readonly onSubmit: (fields: FormData, form: HTMLFormElement) => Promise<void>;
  /** The words of the button that submits; undefined: there is none. */
  readonly submit: string | undefined;
  readonly submitClass?: string | undefined;
  /** The button waits: a limit was reached. */
  readonly waits?: boolean;
  /** Beside that button, which makes a footer of them. */
  readonly cancel?: ComponentChildren;
  /** In place of the failure. */
  readonly notice?: ComponentChildren;
  /** Selects what takes the focus after a failure; the button that submits, unless it says otherwise. */
  readonly focusBack?: string;
  readonly class?: string;
  readonly formRef?: { current: HTMLFormElement | null };
  readonly children: ComponentChildren;
  /** Below the buttons. */
  readonly below?: ComponentChildren;
}

/** Fields, why they could not be sent, and the button that sends them. */
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
      // Were the browser ever to submit it, no password would stand in the address.
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
