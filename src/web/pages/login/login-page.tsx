import { readContact } from '../../../language/contact.ts';
import { returnAddress } from '../../../policy/return-address.ts';
import { attentionApi, loginApi, bodyOf } from '../../api-client.ts';
import { Mark, Gatehouse } from '../../ui/drawings.tsx';
import { houseName, hasPasskeys, hasRecorder, landing } from '../../ui/page-marks.ts';
import { afterSignIn, hrefOf } from '../../ui/sign-in/destination.ts';
import type { LoggedIn } from '../../ui/sign-in/login-steps.ts';
import { LoginWays } from './login-ways.tsx';
import { Loading } from '../../ui/notices.tsx';
import { gatePath, pathTo } from '../../path-prefix.ts';
import { text } from '../../text.ts';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';

const home = '/postern/';
const starts: ReadonlySet<string> = new Set(['/', home]);

/** Created at the first start. */
const firstUser = 'admin';

/** Whether users may sign in elsewhere. Without such a provider, the form shows before Postern has answered. */
const hasProvider = document.body.dataset['provider'] === 'yes';
const mayUsePasskeys = document.body.dataset['passkeys'] === 'yes';

export function LoginPage() {
  usePageTitle(text.login.title);
  const { search } = location;
  const [state] = useLoaded(() => bodyOf(loginApi.index.$get()));
  const known = state.kind === 'loaded' ? state.value : undefined;
  const next = returnAddress(search, known?.return_domains ?? []);
  const destination = afterSignIn(next);
  // Everything after `next` belongs to it.
  const query = new URLSearchParams(search.replace(/[?&]next=.*$/, ''));
  return (
    <main class="login">
      <Gatehouse>
        <div>
          {houseName !== 'Postern' && (
            <p class="by">
              <Mark />
              Postern
            </p>
          )}
          <h1>{houseName}</h1>
        </div>
        {(query.has('ended') || query.has('logged-out')) && (
          <p class="notice" role="status">
            {query.has('ended') ? text.login.ended : text.login.loggedOut}
          </p>
        )}
        {known?.enabled === false ? (
          <p class="notice">
            {text.login.proxy}{' '}
            <a href={hrefOf(destination)} target="_top">
              {text.login.goOn}
            </a>
          </p>
        ) : hasProvider && state.kind === 'loading' ? (
          <Loading what={text.login.what} />
        ) : (
          <LoginWays
            provider={known?.provider?.label}
            isLocal={known?.local_login !== false || query.has('local')}
            mayUsePasskeys={mayUsePasskeys && hasPasskeys()}
            next={next}
            onDone={(answer) => leave(answer, destination)}
          />
        )}
        <Choice destination={destination} />
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
      </Gatehouse>
    </main>
  );
}

/** Where a login leads to the recorder's UI, this link leads to Postern's own pages instead. */
function Choice({ destination }: { readonly destination: string }) {
  if (landing === 'home' || !hasRecorder || !starts.has(destination)) return null;
  return (
    <p class="destination">
      {destination === home ? (
        <>
          {text.home.afterLogin} <a href={pathTo('/login')}>{text.home.toRecorder}</a>
        </>
      ) : (
        <a href={pathTo(`/login?next=${home}`)}>{text.home.ownPages}</a>
      )}
    </p>
  );
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

/** A page load lets password managers see the success, and may lead to the recorder's own pages. */
async function leave({ role, second_factor: factor }: LoggedIn, destination: string): Promise<void> {
  if (factor === 'set_up') return location.assign(gatePath('/account'));
  if (role === 'admin' && (await isFirstRun(destination))) return location.assign(gatePath('/first-run'));
  location.assign(hrefOf(destination));
}

/** Leads an admin of a new Postern to the setup, unless another page was requested. */
async function isFirstRun(destination: string): Promise<boolean> {
  if (!starts.has(destination)) return false;
  const items = await bodyOf(attentionApi.index.$get()).catch(() => []);
  return items.some(({ kind, detail }) => kind === 'first_run' && detail['shown'] === 0);
}
