import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { loginApi, usersApi, bodyOf } from './api-client.ts';
import { OwnTokens } from './api-tokens.tsx';
import { EndTokens, endedText, keepsTokens } from './end-tokens.tsx';
import { nameText } from './event-text.ts';
import { fieldOf } from './form-field.ts';
import { NewPassword, OldPassword, passwordOf } from './new-password.tsx';
import { FailureNotice, Loading } from './notices.tsx';
import { gatePath } from './path-prefix.ts';
import { isAnonymous, useProfile } from './profile.ts';
import { OwnSessions } from './own-sessions.tsx';
import { text } from './text.ts';
import { useAction } from './use-action.ts';
import { useLoaded } from './use-loaded.ts';
import { usePageTitle } from './use-page-title.ts';

export function AccountPage() {
  usePageTitle(text.account.title);
  const profile = useProfile();
  const [changes, setChanges] = useState(0);
  const [state] = useLoaded(() => bodyOf(loginApi.index.$get()));
  const loginBy = isAnonymous(profile)
    ? 'nobody'
    : state.kind === 'loading'
      ? undefined
      : state.kind === 'loaded' && !state.value.enabled
        ? 'proxy'
        : 'gate';
  return (
    <div class="narrow">
      <h1>{text.account.title}</h1>
      <dl class="facts">
        <dt>{text.account.userName}</dt>
        <dd>
          <bdi>{profile.username}</bdi>
        </dd>
        <dt>{text.account.role}</dt>
        <dd>{profile.role}</dd>
        <dt>{text.account.cameras}</dt>
        <dd>{profile.allowed_cameras.map(nameText).join(', ') || text.account.noCameras}</dd>
      </dl>
      {loginBy === undefined ? (
        <Loading what={text.account.what} />
      ) : (
        <>
          <h2>{text.account.password}</h2>
          {loginBy === 'nobody' && <p class="notice">{text.account.internal}</p>}
          {loginBy === 'proxy' && <p class="notice">{text.account.byProxy}</p>}
          {loginBy === 'gate' && <ChangePassword onDone={() => setChanges(changes + 1)} />}
          {loginBy === 'nobody' && <NoSessions>{text.account.internalSessions}</NoSessions>}
          {loginBy === 'proxy' && <NoSessions>{text.account.sessionsByProxy}</NoSessions>}
          {loginBy === 'gate' && <OwnSessions key={changes} />}
          {loginBy === 'gate' && <OwnTokens key={`tokens ${changes}`} />}
          <ApiLink />
        </>
      )}
    </div>
  );
}

function ApiLink() {
  return (
    <section aria-labelledby="api">
      <div class="title-row">
        <h2 id="api">{text.account.api}</h2>
      </div>
      <a href={gatePath('/account/api')}>{text.account.apiLink}</a>
    </section>
  );
}

function NoSessions({ children }: { readonly children: ComponentChildren }) {
  return (
    <section aria-labelledby="sessions">
      <div class="title-row">
        <h2 id="sessions">{text.sessions.title}</h2>
      </div>
      <p class="notice">{children}</p>
    </section>
  );
}

function ChangePassword({ onDone }: { readonly onDone: () => void }) {
  const { username } = useProfile();
  const { busy, failure, run } = useAction();
  const [ended, setEnded] = useState<number>();
  const change = async (form: FormData, element: HTMLFormElement) => {
    const password = passwordOf(form);
    const json = {
      password,
      keep_api_tokens: keepsTokens(form),
      old_password: fieldOf(form, 'old_password'),
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
      <OldPassword />
      <NewPassword />
      <EndTokens label={text.account.endTokens} />
      <FailureNotice error={failure} />
      {ended !== undefined && (
        <p class="notice success" role="status">
          {text.account.changed}
          {endedText(ended)}
        </p>
      )}
      <button type="submit" disabled={busy} aria-busy={busy}>
        {text.account.changePassword}
      </button>
    </form>
  );
}
