import { useLayoutEffect, useState, useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../ui/drawings.tsx';
import {
  logInByPasskey,
  passkeyOptions,
  secondStepIn,
  type LoggedIn,
  type SecondStep,
} from '../../ui/sign-in/login-steps.ts';
import { FailureNotice, LoadFailure, Loading } from '../../ui/notices.tsx';
import { ServerLink } from '../../ui/parts.tsx';
import { fill, text } from '../../text.ts';
import { useAction, fieldOf, useLimitedAction } from '../../ui/forms/form-action.ts';
import { useLoaded } from '../../ui/loading.ts';
import { watchVisible } from '../../ui/page-hooks.ts';
import { ApiFailure, bodyOf, loginApi } from '../../api-client.ts';
import { asTyped, Field } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { secondsText } from '../../ui/time-text.ts';

interface LoginWaysProps {
  /** The provider's display name. */
  readonly provider: string | undefined;
  readonly isLocal: boolean;
  readonly mayUsePasskeys: boolean;
  readonly next: string;
  readonly onDone: (answer: LoggedIn) => Promise<void>;
}

/** The available methods: passkey, password with its second step, provider. */
export function LoginWays({ provider, isLocal, mayUsePasskeys, next, onDone }: LoginWaysProps) {
  const [second, setSecond] = useState<SecondStep>();
  const [returned, setReturned] = useState<Returned>();
  if (second !== undefined) {
    const back = (isLate: boolean) => {
      setReturned(isLate ? 'late' : 'asked');
      setSecond(undefined);
    };
    return <SecondStepForm step={second} onBack={back} onDone={onDone} />;
  }
  const passkeyFirst = isLocal && mayUsePasskeys;
  return (
    <>
      {passkeyFirst && <PasskeyLogin onDone={onDone} />}
      {passkeyFirst && <p class="or">{text.login.orByPassword}</p>}
      {isLocal && (
        <LoginForm returned={returned} isSecondary={passkeyFirst} onSecondStep={setSecond} onDone={onDone} />
      )}
      {provider !== undefined && (
        <ServerLink
          class={isLocal ? 'button secondary' : 'button'}
          path={`/postern/oidc/login?next=${encodeURIComponent(next)}`}
        >
          {fill(text.login.byProvider, { label: provider })}
        </ServerLink>
      )}
    </>
  );
}

// Milliseconds: Postern's options are valid a little longer.
const optionsLife = 240_000;

/** One press; browsers also offer passkeys where the user name is typed. */
function PasskeyLogin({ onDone }: Pick<LoginWaysProps, 'onDone'>) {
  const { busy, failure, run } = useAction();
  const [round, setRound] = useState(0);
  // Immediately: a browser shows only one of the two at a time.
  useLayoutEffect(() => {
    if (busy) return undefined;
    const began = Date.now();
    const ended = new AbortController();
    void (async () => {
      const { offersPasskeys, showPasskey } = await import('../../ui/sign-in/passkeys.ts');
      if (!(await offersPasskeys()) || ended.signal.aborted) return;
      const answer = await showPasskey(await passkeyOptions(), ended.signal);
      run(async () => onDone(await logInByPasskey(answer)));
      // The user did not ask for it, so there is no error to show.
    })().catch(() => undefined);
    const unwatch = watchVisible((isVisible) => {
      if (isVisible && Date.now() - began > optionsLife) setRound(round + 1);
    });
    return () => {
      ended.abort();
      unwatch();
    };
  }, [busy, round]);
  const show = async () => {
    const { showPasskey } = await import('../../ui/sign-in/passkeys.ts');
    await onDone(await logInByPasskey(await showPasskey(await passkeyOptions())));
  };
  return (
    <div class="by-passkey">
      <button type="button" aria-busy={busy} disabled={busy} onClick={() => run(show)}>
        <Icon name="finger" />
        {text.login.byPasskey}
      </button>
      <FailureNotice error={failure} />
    </div>
  );
}

interface SecondStepProps extends Pick<LoginWaysProps, 'onDone'> {
  readonly step: SecondStep;
  readonly onBack: (isTooLate: boolean) => void;
}

/** Loaded on demand: most users have no second step. */
function SecondStepForm(props: SecondStepProps) {
  const [state, reload] = useLoaded(() => import('./second-step.tsx'));
  if (state.kind === 'loading') return <Loading what={text.login.secondStep} />;
  if (state.kind === 'failed')
    return <LoadFailure what={text.login.secondStep} error={state.error} onRetry={reload} />;
  return <state.value.SecondStepForm {...props} />;
}

/** Back from the second step: by choice, or because it timed out. */
type Returned = 'asked' | 'late';

function LoginForm(props: {
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

/** Survives the way back, which reloads the page. */
function typedName(): string {
  const { user } = (history.state ?? {}) as { readonly user?: unknown };
  return typeof user === 'string' ? user : '';
}
