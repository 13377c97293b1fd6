import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { ApiFailure, bodyOf, loginApi } from './api-client.ts';
import { to, withoutBase } from './base-path.ts';
import { fieldOf } from './form-dialog.tsx';
import gate from './gate.svg?inline';
import { nextPath } from './next-path.ts';
import { FailureNotice } from './notices.tsx';
import { useAction } from './use-action.ts';
import { useLoaded } from './use-loaded.ts';
import { usePageTitle } from './use-page-title.ts';

export function LoginPage() {
  usePageTitle('Log in');
  const { url } = useLocation();
  const search = url.slice(url.indexOf('?') === -1 ? url.length : url.indexOf('?'));
  const [state] = useLoaded(() => bodyOf(loginApi.login.$get()));
  const known = state.kind === 'loaded' ? state.value : undefined;
  return (
    <main class="container login">
      <article>
        <header>
          <img src={gate} alt="" width="48" height="48" />
          <h1>Postern</h1>
        </header>
        {/[?&]ended=1(?:&|$)/.test(search) && (
          <p class="notice" role="status">
            Your session has ended. Log in to go on where you were.
          </p>
        )}
        {known?.enabled === false ? (
          <p class="notice">
            The proxy in front of this site logs users in.{' '}
            <a href={to(withoutBase(nextPath(search)))}>Go on</a>
          </p>
        ) : (
          <LoginForm next={nextPath(search)} />
        )}
        {known?.first_start === true && (
          <p class="notice" role="note">
            <strong>First start?</strong> The user is <code>admin</code>, and its generated password is in
            Postern's log. This hint goes away once it has been used.
          </p>
        )}
      </article>
    </main>
  );
}

function LoginForm({ next }: { readonly next: string }) {
  const { busy, failure, run } = useAction();
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setWait(wait - 1), 1_000);
    return () => clearTimeout(timer);
  }, [wait]);

  const logIn = async (form: FormData) => {
    const json = { user: fieldOf(form, 'user'), password: fieldOf(form, 'password') };
    try {
      await bodyOf(loginApi.login.$post({ json }));
    } catch (error) {
      if (error instanceof ApiFailure && error.retryAfter !== undefined) setWait(Math.ceil(error.retryAfter));
      throw error instanceof ApiFailure && error.status === 401
        ? new ApiFailure(401, 'Login failed: the user name or the password is wrong.')
        : error;
    }
    // A navigation lets password managers see that it went well, and may lead to the recorder's own pages.
    location.assign(to(withoutBase(next)));
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
        User name
        <input
          name="user"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          autofocus
          required
        />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      {wait > 0 ? (
        <p class="notice failure" role="alert">
          Too many failed logins from your address.
        </p>
      ) : (
        <FailureNotice
          error={failure instanceof ApiFailure && failure.status === 429 ? undefined : failure}
        />
      )}
      <button type="submit" disabled={busy || wait > 0} aria-busy={busy}>
        {wait > 0 ? `Try again in ${duration(wait)}` : 'Log in'}
      </button>
    </form>
  );
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
