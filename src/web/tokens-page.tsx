import { useState } from 'preact/hooks';
import { apiTokensApi, loginApi, bodyOf, type ApiToken } from './api-client.ts';
import { TokenRows } from './api-tokens.tsx';
import { FailureNotice, LoadFailure, Loading } from './notices.tsx';
import { gatePath } from './path-prefix.ts';
import { SettingsFrame } from './settings-frame.tsx';
import { RevokeToken } from './token-dialogs.tsx';
import { useLoaded } from './use-loaded.ts';

export function TokensPage() {
  return (
    <SettingsFrame page="tokens">
      <Tokens />
    </SettingsFrame>
  );
}

async function loadTokens() {
  const [tokens, login] = await Promise.all([
    bodyOf(apiTokensApi.index.$get({ query: {} })),
    bodyOf(loginApi.index.$get()),
  ]);
  return { tokens, usesAccounts: login.enabled };
}

function Tokens() {
  const [state, reload] = useLoaded(loadTokens);
  const [revoked, setRevoked] = useState<ApiToken>();
  if (state.kind === 'loading') return <Loading what="API tokens" />;
  if (state.kind === 'failed') return <LoadFailure what="API tokens" error={state.error} onRetry={reload} />;
  const { tokens, usesAccounts } = state.value;
  return (
    <section aria-labelledby="tokens">
      <div class="title-row">
        <h2 id="tokens">API tokens</h2>
        <button type="button" class="secondary outline" onClick={reload}>
          Refresh
        </button>
      </div>
      <FailureNotice error={state.error} />
      {!usesAccounts && (
        <p class="notice">The proxy in front logs users in: the gate ignores API tokens at the moment.</p>
      )}
      {tokens.length === 0 ? (
        <p class="placeholder">Nobody has an API token.</p>
      ) : (
        <TokenRows tokens={tokens} ofEverybody onRevoke={setRevoked} />
      )}
      {usesAccounts && (
        <p class="below-rows">
          <small>
            Everybody adds their own on the <a href={gatePath('/account')}>Account</a> page.
          </small>
        </p>
      )}
      {revoked !== undefined && (
        <RevokeToken token={revoked} onClose={() => setRevoked(undefined)} onDone={reload} />
      )}
    </section>
  );
}
