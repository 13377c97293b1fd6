import { useState } from 'preact/hooks';
import { apiTokensApi, rolesApi, bodyOf, type ApiToken } from './api-client.ts';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { useProfile } from './profile.ts';
import { Day, TimeAgo } from './time.tsx';
import { AddToken, RevokeToken, ShownToken, type MadeToken } from './token-dialogs.tsx';
import { useLoaded } from './use-loaded.ts';

type Dialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'made'; readonly made: MadeToken }
  | { readonly kind: 'revoke'; readonly token: ApiToken };

/** The API tokens of whoever looks, with everything that can be done with them. */
export function OwnTokens() {
  const { username } = useProfile();
  const [state, reload] = useLoaded(async () => {
    const [tokens, roles] = await Promise.all([
      bodyOf(apiTokensApi.index.$get({ query: { user: username } })),
      bodyOf(rolesApi.index.$get()),
    ]);
    return { tokens, roles };
  });
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  return (
    <section aria-labelledby="tokens">
      <div class="title-row">
        <h2 id="tokens">API tokens</h2>
        {state.kind === 'loaded' && (
          <button type="button" onClick={() => setDialog({ kind: 'add' })}>
            Add API token
          </button>
        )}
      </div>
      {state.kind === 'loading' && <Loading what="your API tokens" />}
      {state.kind === 'failed' && <LoadFailure what="API tokens" error={state.error} onRetry={reload} />}
      {state.kind === 'loaded' && (
        <>
          <FailureNotice error={state.error} />
          {state.value.tokens.length === 0 ? (
            <p class="placeholder">
              No API tokens yet. With one, a script or a home automation gets in without your password.
            </p>
          ) : (
            <TokenRows
              tokens={state.value.tokens}
              onRevoke={(token) => setDialog({ kind: 'revoke', token })}
            />
          )}
        </>
      )}
      {dialog?.kind === 'add' && state.kind === 'loaded' && (
        <AddToken
          roles={state.value.roles}
          taken={state.value.tokens.map(({ name }) => name)}
          onClose={close}
          onMade={(made) => {
            setDialog({ kind: 'made', made });
            reload();
          }}
        />
      )}
      {dialog?.kind === 'made' && <ShownToken made={dialog.made} onClose={close} />}
      {dialog?.kind === 'revoke' && <RevokeToken token={dialog.token} onClose={close} onDone={reload} />}
    </section>
  );
}

export function TokenRows(props: {
  readonly tokens: readonly ApiToken[];
  /** Whose each is, besides. */
  readonly ofEverybody?: boolean;
  readonly onRevoke: (token: ApiToken) => void;
}) {
  const { tokens, ofEverybody = false, onRevoke } = props;
  return (
    <ul class="rows" aria-label="API tokens">
      {tokens.map((token) => (
        <li key={token.id}>
          <div class="row-name long">
            <strong>{token.name}</strong> {ofEverybody && <small>of {token.username}</small>}
            <div class="badges">
              <span class={`badge ${token.role === 'admin' ? 'strong' : ''}`}>{token.role}</span>
              {token.cameras?.map((camera) => (
                <span class="badge" key={camera}>
                  {camera}
                </span>
              ))}
            </div>
            <div>
              <small>
                Added <Day seconds={token.created_at} />
                {' · '}
                <Expiry token={token} />
                {' · '}
                <LastUse token={token} />
              </small>
            </div>
            {token.state === 'too_wide' && (
              <div>
                <small class="row-warning">
                  Refused: its role is more than {ofEverybody ? token.username : 'you'} may do by now.
                </small>
              </div>
            )}
          </div>
          <div class="row-actions">
            <button
              type="button"
              class="danger outline"
              aria-label={`Revoke ${token.name}${ofEverybody ? ` of ${token.username}` : ''}`}
              onClick={() => onRevoke(token)}
            >
              Revoke
            </button>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Expiry({ token: { expires_at: at, state } }: { readonly token: ApiToken }) {
  if (at === null) return <>does not expire</>;
  return state === 'expired' ? (
    <strong class="row-warning">
      expired <Day seconds={at} />
    </strong>
  ) : (
    <>
      expires <Day seconds={at} />
    </>
  );
}

function LastUse({ token: { last_used_at: at, last_used_from: from } }: { readonly token: ApiToken }) {
  if (at === null) return <>never used</>;
  return (
    <>
      last used <TimeAgo seconds={at} />
      {from !== null && ` from ${from}`}
    </>
  );
}
