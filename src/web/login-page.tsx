import { useEffect, useState } from 'preact/hooks';
import { readContact } from '../language/contact.ts';
import { attentionApi, loginApi, ApiFailure, bodyOf } from './api-client.ts';
import { DisplayChoice } from './display-choice.tsx';
import { gatePath, isBehindFirstEdition, pathTo, withoutPrefix } from './path-prefix.ts';
import { secondsText } from './time-text.ts';
import { fieldOf } from './form-field.ts';
import gate from './gate.svg?inline';
import { FailureNotice } from './notices.tsx';
import { returnAddress } from '../policy/return-address.ts';
import { hasSharedPages } from './shared-pages.ts';
import { text } from './text.ts';
import { useAction } from './use-action.ts';
import { useLoaded } from './use-loaded.ts';
import { usePageTitle } from './use-page-title.ts';

const home = '/postern/';

/** Made at the first start. */
const firstUser = 'admin';

export function LoginPage() {
  usePageTitle(text.login.title);
  const { search } = location;
  const [state] = useLoaded(() => bodyOf(loginApi.index.$get()));
  const known = state.kind === 'loaded' ? state.value : undefined;
  const next = returnAddress(search, known?.return_domains ?? []);
  return (
    <main class="container login">
      <article>
        <header>
          <img src={gate} alt="" width="48" height="48" />
          <h1>Postern</h1>
        </header>
        {/[?&]ended=1(?:&|$)/.test(search) && (
          <p class="notice" role="status">
            {text.login.ended}
          </p>
        )}
        {known?.enabled === false ? (
          <p class="notice">
            {text.login.proxy}{' '}
            <a href={hrefOf(next)} target="_top">
              {text.login.goOn}
            </a>
          </p>
        ) : (
          <LoginForm next={next} />
        )}
        <Destination next={next} />
        {known?.generated_password_unused === true && (
          <p class="notice" role="note">
            {text.login.generated[0]} <code>{firstUser}</code> {text.login.generated[1]}
          </p>
        )}
        {known?.contact && (
          <p class="contact">
            {text.login.contact} <ContactOf contact={known.contact} />
          </p>
        )}
      </article>
      <footer>
        <DisplayChoice />
      </footer>
    </main>
  );
}

/** Beside a recorder a login leads to its UI; whoever wants the gate's own pages says so here. */
function Destination({ next }: { readonly next: string }) {
  if (hasSharedPages || (next !== '/' && next !== home)) return null;
  return (
    <p class="destination">
      {next === home ? (
        <>
          {text.home.afterLogin} <a href={pathTo('/login')}>{text.home.toRecorder}</a>
        </>
      ) : (
        <a href={pathTo(`/login?next=${home}`)}>{text.home.ownPages}</a>
      )}
    </p>
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
      const { role } = await bodyOf(loginApi.index.$post({ json }));
      if (role === 'admin' && (await isFirstRun(next))) return location.assign(gatePath('/first-run'));
    } catch (error) {
      if (error instanceof ApiFailure && error.retryAfter !== undefined) setWait(Math.ceil(error.retryAfter));
      throw error instanceof ApiFailure && error.status === 401
        ? new ApiFailure(401, text.login.wrong)
        : error;
    }
    // A navigation lets password managers see that it went well, and may lead to the recorder's own pages.
    location.assign(hrefOf(next));
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
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          autofocus
          required
        />
      </label>
      <label>
        {text.login.password}
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <FailureNotice error={wait === 0 && isTooEarly(failure) ? undefined : failure} />
      <button type="submit" disabled={busy || wait > 0} aria-busy={busy}>
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

function ContactOf({ contact }: { readonly contact: string }) {
  const { href, text } = readContact(contact);
  if (href === undefined) return <bdi>{text}</bdi>;
  return (
    <a href={href} dir="auto" target="_top">
      {text}
    </a>
  );
}

/** A path is one of this site, below its prefix. */
function hrefOf(address: string): string {
  return address.startsWith('/') ? pathTo(withoutPrefix(address)) : address;
}

function isTooEarly(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.status === 429;
}

/** Whoever comes to a new gate, and wants to go nowhere else, is shown the way. */
async function isFirstRun(next: string): Promise<boolean> {
  if (isBehindFirstEdition || !['/', '/postern/'].includes(withoutPrefix(next))) return false;
  const items = await bodyOf(attentionApi.index.$get()).catch(() => []);
  return items.some(({ kind, detail }) => kind === 'first_run' && detail['shown'] === 0);
}
