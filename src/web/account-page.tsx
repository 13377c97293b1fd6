import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { loginApi, usersApi, bodyOf } from './api-client.ts';
import { OwnTokens } from './api-tokens.tsx';
import { EndTokens, endedText, keepsTokens } from './end-tokens.tsx';
import { nameText } from './event-text.ts';
import { fieldOf } from './form-field.ts';
import { NewPassword, passwordOf } from './new-password.tsx';
import { FailureNotice, Loading } from './notices.tsx';
import { gatePath } from './path-prefix.ts';
import { isAnonymous, useProfile } from './profile.ts';
import { OwnSessions } from './own-sessions.tsx';
import { useAction } from './use-action.ts';
import { useLoaded } from './use-loaded.ts';
import { usePageTitle } from './use-page-title.ts';

export function AccountPage() {
  usePageTitle('Account');
  const profile = useProfile();
  const [changes, setChanges] = useState(0);
  const [state] = useLoaded(() => bodyOf(loginApi.index.$get()));
  return (
    <div class="narrow">
      <h1>Account</h1>
      <dl class="facts">
        <dt>User name</dt>
        <dd>{profile.username}</dd>
        <dt>Role</dt>
        <dd>{profile.role}</dd>
        <dt>Cameras</dt>
        <dd>{profile.allowed_cameras.map(nameText).join(', ') || 'none'}</dd>
      </dl>
      <h2>Password</h2>
      {isAnonymous(profile) ? (
        <p class="notice">
          You came in by the internal entry point, where nobody logs in. There is no password here.
        </p>
      ) : state.kind === 'loading' ? (
        <Loading what="your account" />
      ) : state.kind === 'loaded' && !state.value.enabled ? (
        <p class="notice">The proxy in front of this site logs you in: your password is changed there.</p>
      ) : (
        <ChangePassword onDone={() => setChanges(changes + 1)} />
      )}
      {isAnonymous(profile) ? (
        <NoSessions>Nobody logs in on the internal entry point: there are no sessions of yours.</NoSessions>
      ) : state.kind === 'loading' ? null : state.kind === 'loaded' && !state.value.enabled ? (
        <NoSessions>The proxy in front of this site keeps your sessions: they are ended there.</NoSessions>
      ) : (
        <>
          <OwnSessions key={changes} />
          <OwnTokens key={`tokens ${changes}`} />
        </>
      )}
      <section aria-labelledby="api">
        <div class="title-row">
          <h2 id="api">API</h2>
        </div>
        <a href={gatePath('/account/api')}>What programs may ask of this site</a>
      </section>
    </div>
  );
}

function NoSessions({ children }: { readonly children: ComponentChildren }) {
  return (
    <section aria-labelledby="sessions">
      <div class="title-row">
        <h2 id="sessions">Sessions</h2>
      </div>
      <p class="notice">{children}</p>
    </section>
  );
}

function ChangePassword({ onDone }: { readonly onDone: () => void }) {
  const { username, role } = useProfile();
  const { busy, failure, run } = useAction();
  const [ended, setEnded] = useState<number>();
  const change = async (form: FormData, element: HTMLFormElement) => {
    const password = passwordOf(form);
    const json = {
      password,
      keep_api_tokens: keepsTokens(form),
      ...(role === 'admin' ? {} : { old_password: fieldOf(form, 'old_password') }),
    };
    const changed = await bodyOf(usersApi[':username'].password.$put({ param: { username }, json }));
    element.reset();
    setEnded(changed.api_tokens_ended);
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setEnded(undefined);
        const element = event.currentTarget;
        const form = new FormData(element);
        run(() => change(form, element));
      }}
    >
      <input name="username" autocomplete="username" value={username} readOnly hidden />
      {role !== 'admin' && (
        <label>
          Old password
          <input name="old_password" type="password" autocomplete="current-password" required />
        </label>
      )}
      <NewPassword />
      <EndTokens label="End my API tokens too" />
      <FailureNotice error={failure} />
      {ended !== undefined && (
        <p class="notice success" role="status">
          Your password is changed. Your sessions elsewhere have ended.{endedText(ended)}
        </p>
      )}
      <button type="submit" disabled={busy} aria-busy={busy}>
        Change password
      </button>
    </form>
  );
}
