import { isNamelessRole } from '../../../policy/names.ts';
import { roleText } from '../../ui/roles/role-access.ts';
import type { ComponentType } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { cameraText } from '../../ui/cameras/camera-names.ts';
import { loginApi, bodyOf } from '../../api-client.ts';
import { changePassword, NewPassword, OldPassword } from '../../ui/accounts/new-password.tsx';
import { EndGivenOut, endedText } from '../../ui/accounts/end-given-out.tsx';
import { hasFactor, readSignInMethods, type SignInMethods } from '../../ui/sign-in/factors-api.ts';
import { isOn, longestShare } from '../../ui/page-marks.ts';
import { Form } from '../../ui/forms/form.tsx';
import { AccessEnd, LoadFailure, Loading, openingText } from '../../ui/notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { isAnonymous, RestrictionContext, useMay, useProfile } from '../../profile.ts';
import { OwnFactors } from './own-factors.tsx';
import { fill, text } from '../../text.ts';
import { TitledSection } from '../../ui/section.tsx';
import { timeText } from '../../ui/time-text.ts';
import { useAction } from '../../ui/forms/form-action.ts';
import { useLater } from '../../ui/forms/use-dialog.ts';
import { useLoaded } from '../../ui/loading.ts';
import { usePageTitle } from '../../ui/page-hooks.ts';

export function AccountPage() {
  usePageTitle(text.account.title);
  const profile = useProfile();
  const closed = openingText(profile.closed);
  const [state] = useLoaded(() => bodyOf(loginApi.index.$get()));
  const loginBy = isAnonymous(profile)
    ? 'none'
    : state.kind === 'loading'
      ? undefined
      : state.kind === 'loaded' && !state.value.enabled
        ? 'proxy'
        : 'gate';
  return (
    <div class="narrow">
      <h1>{text.account.title}</h1>
      {closed !== undefined && <p class="notice">{closed}</p>}
      <AccessEnd />
      <dl class="facts">
        <dt>{text.account.userName}</dt>
        <dd>
          <bdi>{profile.username}</bdi>
        </dd>
        <dt>{text.account.role}</dt>
        <dd>{roleText(profile.role)}</dd>
        <dt>{text.account.cameras}</dt>
        <dd>{profile.allowed_cameras.map(cameraText).join(', ') || text.account.noCameras}</dd>
      </dl>
      {loginBy === undefined ? (
        <Loading what={text.account.what} />
      ) : (
        <>
          {loginBy === 'none' && (
            <Elsewhere password={text.account.internal} sessions={text.account.internalSessions} />
          )}
          {loginBy === 'proxy' && (
            <Elsewhere password={text.account.byProxy} sessions={text.account.sessionsByProxy} />
          )}
          {loginBy === 'gate' && <GateAccount />}
        </>
      )}
    </div>
  );
}

function Links() {
  const mayShare = useMay('share');
  return (
    <>
      {longestShare > 0 && mayShare && (
        <TitledSection id="shares" title={text.site.shares}>
          <a href={gatePath('/account/shares')}>{text.account.sharesLink}</a>
        </TitledSection>
      )}
    </>
  );
}

const loadSessions = () => import('./own-sessions.tsx');
const loadOwnSessions = async () => (await loadSessions()).OwnSessions;
const loadOwnDisplays = async () => {
  const { DisplayList } = await import('../../ui/displays/display-list.tsx');
  return (props: OwnListProps) => <DisplayList isOfAll={false} {...props} />;
};
const loadOwnPush = async () => (await import('./own-alerts.tsx')).OwnPush;
const loadOwnAlerts = async () => (await import('./own-alerts.tsx')).OwnAlerts;
const loadOwnTokens = async () => (await import('./own-tokens.tsx')).OwnTokens;

/** A user who signs in elsewhere has nothing to change here. */
function Elsewhere({ password, sessions }: { readonly password: string; readonly sessions: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const later = useLater(loadSessions, true, () => undefined);
  return (
    <>
      <h2>{text.account.password}</h2>
      <p class="notice">{password}</p>
      <TitledSection id="sessions" title={text.sessions.title} heading={heading}>
        <p class="notice">{sessions}</p>
      </TitledSection>
      {later !== undefined && <later.OwnStreams heading={heading} />}
      <Links />
    </>
  );
}

/** Federated users change everything at the provider; this shows an error if the session could not be checked there. */
function ByProvider({ provider }: Pick<SignInMethods, 'provider'>) {
  return (
    <>
      <p class="notice">
        {fill(text.account.byProvider, { label: provider?.label ?? text.account.aProvider })}
      </p>
      {provider !== null && provider.fault !== null && (
        <p class="notice failure">
          {fill(text.account.notRefreshed, {
            label: provider.label,
            ends: timeText(provider.session_ends_at),
          })}
        </p>
      )}
    </>
  );
}

/** Sign-in methods, sessions and API tokens; only the first for users who must set up a second factor. */
function GateAccount() {
  const [changes, setChanges] = useState(0);
  const [state, reload] = useLoaded(readSignInMethods);
  const restrict = useContext(RestrictionContext);
  const { role } = useProfile();
  const methods = state.kind === 'loaded' ? state.value : undefined;
  const isRestricted = methods?.required === true && !hasFactor(methods);
  useEffect(() => restrict(isRestricted), [isRestricted]);
  if (state.kind === 'loading') return <Loading what={text.account.what} />;
  if (state.kind === 'failed')
    return <LoadFailure what={text.account.what} error={state.error} onRetry={reload} />;
  const onChange = () => setChanges(changes + 1);
  const onFactor = (isFirst: boolean) => {
    if (isFirst) onChange();
    reload();
  };
  const isElsewhere = methods?.password === false;
  // Guests come to look: neither programs nor screens are theirs, unless they have one already.
  const isGuest = isNamelessRole(role);
  return (
    <>
      <section aria-labelledby="sign-in">
        <h2 id="sign-in">{text.account.signIn}</h2>
        {isElsewhere ? (
          <ByProvider provider={methods.provider} />
        ) : (
          <>
            {methods && <OwnFactors methods={methods} isRestricted={isRestricted} onChange={onFactor} />}
            <h3>{text.account.password}</h3>
            <ChangePassword onDone={onChange} />
          </>
        )}
      </section>
      {!isRestricted && (
        <>
          <OwnList key={changes} load={loadOwnSessions} what={text.sessions.yours} />
          {isOn('displays') && (
            <OwnList
              key={`displays ${changes}`}
              load={loadOwnDisplays}
              what={text.account.displays}
              onlySome={isGuest}
            />
          )}
          {isOn('api_tokens') && (
            <OwnList
              key={`tokens ${changes}`}
              load={loadOwnTokens}
              what={text.tokens.yours}
              onlySome={isGuest}
            />
          )}
          <OwnList load={loadOwnAlerts} what={text.account.alerts} />
          {isOn('push') && <OwnList load={loadOwnPush} what={text.account.alerts} />}
          <Links />
        </>
      )}
    </>
  );
}

interface OwnListProps {
  /** Shown only where there is something in it. */
  readonly onlySome?: boolean;
}

interface LaterListProps extends OwnListProps {
  readonly load: () => Promise<ComponentType<OwnListProps>>;
  readonly what: string;
}

/** The page renders before what it lists is loaded. */
function OwnList({ load, what, onlySome = false }: LaterListProps) {
  const [isMissing, setMissing] = useState(false);
  const List = useLater(load, true, () => setMissing(true));
  if (List !== undefined) return <List onlySome={onlySome} />;
  if (isMissing) return <LoadFailure what={what} error={undefined} onRetry={() => location.reload()} />;
  return onlySome ? null : <Loading what={what} />;
}

function ChangePassword({ onDone }: { readonly onDone: () => void }) {
  const { username } = useProfile();
  const action = useAction();
  const [ended, setEnded] = useState<Parameters<typeof endedText>[0]>();
  const change = async (form: FormData, element: HTMLFormElement) => {
    setEnded(undefined);
    const changed = await changePassword(username, form);
    element.reset();
    setEnded(changed);
    onDone();
  };
  return (
    <Form
      action={action}
      onSubmit={change}
      submit={text.account.changePassword}
      notice={
        ended && (
          <p class="notice success" role="status">
            {text.account.changed}
            {endedText(ended)}
          </p>
        )
      }
    >
      <input name="username" autocomplete="username" value={username} readOnly hidden />
      <OldPassword />
      <NewPassword />
      <EndGivenOut />
    </Form>
  );
}
