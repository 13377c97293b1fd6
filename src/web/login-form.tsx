import { useEffect, useRef } from 'preact/hooks';
import { ApiFailure, bodyOf, loginApi } from './api-client.ts';
import { fieldOf } from './form-field.ts';
import { secondStepIn, type LoggedIn, type SecondStep } from './login-steps.ts';
import { FailureNotice } from './notices.tsx';
import { text } from './text.ts';
import { secondsText } from './time-text.ts';
import { useAction } from './use-action.ts';
import { isTooEarly, useWait } from './use-wait.ts';

/** From the second step: somebody wanted to, or it came too late. */
export type Returned = 'asked' | 'late';

export function LoginForm(props: {
  readonly returned: Returned | undefined;
  /** Most people come another way. */
  readonly isSecondary: boolean;
  readonly onSecondStep: (step: SecondStep) => void;
  readonly onDone: (answer: LoggedIn) => Promise<void>;
}) {
  const { returned, isSecondary, onSecondStep, onDone } = props;
  const { busy, failure, run } = useAction();
  const [wait, noteWait] = useWait();
  const password = useRef<HTMLInputElement>(null);
  // `autofocus` works once for a page.
  useEffect(() => {
    if (returned !== undefined) password.current?.focus();
  }, []);

  const logIn = async (form: FormData) => {
    const json = { user: fieldOf(form, 'user'), password: fieldOf(form, 'password') };
    try {
      await onDone(await bodyOf(loginApi.index.$post({ json })));
    } catch (error) {
      const step = secondStepIn(error);
      if (step !== undefined) return onSecondStep(step);
      noteWait(error);
      throw error instanceof ApiFailure && error.status === 401
        ? new ApiFailure(401, text.login.wrong)
        : error;
    }
  };

  return (
    <form
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        run(() => logIn(form));
      }}
    >
      <label>
        {text.login.user}
        <input
          name="user"
          defaultValue={typedName()}
          onInput={({ currentTarget }) => history.replaceState({ user: currentTarget.value }, '')}
          autocomplete="username webauthn"
          autocapitalize="none"
          spellcheck={false}
          autofocus={!isSecondary}
          required
        />
      </label>
      <label>
        {text.login.password}
        <input ref={password} name="password" type="password" autocomplete="current-password" required />
      </label>
      {returned === 'late' && !busy && failure === undefined && (
        <p role="alert" class="notice failure">
          {text.login.tooLate}
        </p>
      )}
      <FailureNotice error={wait === 0 && isTooEarly(failure) ? undefined : failure} />
      <button
        type="submit"
        class={isSecondary ? 'secondary' : undefined}
        disabled={busy || wait > 0}
        aria-busy={busy}
      >
        {wait > 0 ? text.login.retryIn(secondsText(wait)) : text.login.logIn}
      </button>
    </form>
  );
}

/** Of this visit: another language, and the way back, load the page anew. */
function typedName(): string {
  const { user } = (history.state ?? {}) as { readonly user?: unknown };
  return typeof user === 'string' ? user : '';
}
