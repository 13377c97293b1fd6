import { useEffect, useRef } from 'preact/hooks';
import { ApiFailure, bodyOf, loginApi } from '../../api-client.ts';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { fieldOf, useLimitedAction } from '../../ui/forms/form-action.ts';
import { secondStepIn, type LoggedIn, type SecondStep } from '../../ui/sign-in/login-steps.ts';
import { fill, text } from '../../text.ts';
import { secondsText } from '../../ui/time-text.ts';

/** Back from the second step: by choice, or because it timed out. */
export type Returned = 'asked' | 'late';

export function LoginForm(props: {
  readonly returned: Returned | undefined;
  /** Most users sign in another way. */
  readonly isSecondary: boolean;
  readonly onSecondStep: (step: SecondStep) => void;
  readonly onDone: (answer: LoggedIn) => Promise<void>;
}) {
  const { returned, isSecondary, onSecondStep, onDone } = props;
  const action = useLimitedAction();
  const { busy, failure, wait } = action;
  const password = useRef<HTMLInputElement>(null);
  // `autofocus` works once per page.
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
      throw error instanceof ApiFailure && error.status === 401
        ? new ApiFailure(401, text.login.wrong)
        : error;
    }
  };

  return (
    <Form
      action={action}
      onSubmit={logIn}
      submit={wait > 0 ? fill(text.login.retryIn, { wait: secondsText(wait) }) : text.login.logIn}
      submitClass={isSecondary ? 'secondary' : undefined}
      waits={wait > 0}
    >
      <Field
        label={text.login.user}
        {...asTyped}
        name="user"
        defaultValue={typedName()}
        onInput={({ currentTarget }) => history.replaceState({ user: currentTarget.value }, '')}
        autocomplete="username webauthn"
        autofocus={!isSecondary}
        required
      />
      <Field
        label={text.login.password}
        inputRef={password}
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
      {returned === 'late' && !busy && failure === undefined && (
        <p role="alert" class="notice failure">
          {text.login.tooLate}
        </p>
      )}
    </Form>
  );
}

/** Survives a change of language and the way back, which reload the page. */
function typedName(): string {
  const { user } = (history.state ?? {}) as { readonly user?: unknown };
  return typeof user === 'string' ? user : '';
}
