import { useRef } from 'preact/hooks';
import { apiTokensApi, rolesApi, bodyOf, type ApiToken } from './api-client.ts';
import { useFocusNear } from './focus-near.ts';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { useProfile } from './profile.ts';
import { Row, RowAction, useMarked } from './row.tsx';
import { text } from './text.ts';
import { Day, TimeAgo } from './time.tsx';
import { tell } from './toasts.tsx';
import type { MadeToken } from './token-dialogs.tsx';
import { useDialog } from './use-dialog.ts';
import { useLoaded } from './use-loaded.ts';
import { useLater } from './use-later.ts';

type Dialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'made'; readonly made: MadeToken }
  | { readonly kind: 'revoke'; readonly token: ApiToken };

const loadDialogs = () => import('./token-dialogs.tsx');

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
  const [dialog, open, close] = useDialog<Dialog>('tokens');
  const [marked, mark] = useMarked();
  const dialogs = useLater(loadDialogs, dialog !== undefined, close);
  const heading = useRef<HTMLHeadingElement>(null);
  const revokes = useFocusNear(
    state.kind === 'loaded' ? state.value.tokens.map(({ id }) => id) : [],
    heading,
  );
  return (
    <section aria-labelledby="tokens">
      <div class="title-row">
        <h2 id="tokens" ref={heading} tabIndex={-1}>
          {text.tokens.title}
        </h2>
        {state.kind === 'loaded' && (
          <button type="button" onClick={() => open({ kind: 'add' })}>
            {text.tokens.add}
          </button>
        )}
      </div>
      {state.kind === 'loading' && <Loading what={text.tokens.yours} />}
      {state.kind === 'failed' && (
        <LoadFailure what={text.tokens.what} error={state.error} onRetry={reload} />
      )}
      {state.kind === 'loaded' && (
        <>
          <FailureNotice error={state.error} />
          {state.value.tokens.length === 0 ? (
            <p class="placeholder">{text.tokens.noneYet}</p>
          ) : (
            <TokenRows
              tokens={state.value.tokens}
              marked={marked}
              onRevoke={(token) => open({ kind: 'revoke', token })}
            />
          )}
        </>
      )}
      {dialogs !== undefined && dialog?.kind === 'add' && state.kind === 'loaded' && (
        <dialogs.AddToken
          roles={state.value.roles}
          taken={state.value.tokens.map(({ name }) => name)}
          onClose={close}
          onMade={(made) => {
            open({ kind: 'made', made });
            reload();
          }}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'made' && (
        <dialogs.ShownToken
          made={dialog.made}
          onClose={() => {
            close();
            tell(text.tokens.added(dialog.made.name));
            mark(dialog.made.id);
          }}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'revoke' && (
        <dialogs.RevokeToken
          token={dialog.token}
          onClose={close}
          onDone={() => {
            revokes(dialog.token.id);
            tell(text.tokens.revoked(dialog.token.name));
            reload();
          }}
        />
      )}
    </section>
  );
}

export function TokenRows(props: {
  readonly tokens: readonly ApiToken[];
  /** Whose each is, besides. */
  readonly ofEverybody?: boolean;
  /** Id of the one that is new. */
  readonly marked?: string | undefined;
  readonly onRevoke: (token: ApiToken) => void;
}) {
  const { tokens, ofEverybody = false, marked, onRevoke } = props;
  return (
    <ul class="rows" aria-label={text.tokens.title}>
      {tokens.map((token) => (
        <Row key={token.id} name={token.id} marked={marked === token.id}>
          <div class="row-name long">
            <strong dir="auto">{token.name}</strong>{' '}
            {ofEverybody && <small>{text.tokens.of(token.username)}</small>}
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
                {text.tokens.addedOn} <Day seconds={token.created_at} />
                {' · '}
                <Expiry token={token} />
                {' · '}
                <LastUse token={token} />
              </small>
            </div>
            {token.state === 'too_wide' && (
              <div>
                <small class="row-warning">
                  {ofEverybody ? text.tokens.tooWide(token.username) : text.tokens.tooWideOwn}
                </small>
              </div>
            )}
          </div>
          <div class="row-actions">
            <RowAction
              danger
              aria-label={text.tokens.revokeOf(token.name, ofEverybody ? token.username : undefined)}
              onClick={() => onRevoke(token)}
            >
              {text.tokens.revoke}
            </RowAction>
          </div>
        </Row>
      ))}
    </ul>
  );
}

function Expiry({ token: { expires_at: at, state } }: { readonly token: ApiToken }) {
  if (at === null) return <>{text.tokens.neverExpires}</>;
  return state === 'expired' ? (
    <strong class="row-warning">
      {text.tokens.expired} <Day seconds={at} />
    </strong>
  ) : (
    <>
      {text.tokens.expires} <Day seconds={at} />
    </>
  );
}

function LastUse({ token: { last_used_at: at, last_used_from: from } }: { readonly token: ApiToken }) {
  if (at === null) return <>{text.tokens.neverUsed}</>;
  return (
    <>
      {text.tokens.lastUsed} <TimeAgo seconds={at} />
      {from !== null && ` ${text.tokens.from(from)}`}
    </>
  );
}
