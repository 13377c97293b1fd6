import { apiTokensApi, rolesApi, bodyOf, type ApiToken } from '../../api-client.ts';
import { useProfile } from '../../profile.ts';
import { Table, useRows } from '../../ui/lists/table.tsx';
import { fill, text } from '../../text.ts';
import { TitledSection } from '../../ui/section.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { tokenColumns } from '../../ui/accounts/tokens.tsx';
import type { MadeToken } from './add-token.tsx';
import { useDialog, useLater } from '../../ui/forms/use-dialog.ts';
import { listOf, useLoaded } from '../../ui/loading.ts';

type Dialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'made'; readonly made: MadeToken }
  | { readonly kind: 'revoke'; readonly token: ApiToken };

async function loadDialogs() {
  const [{ AddToken, ShownToken }, { RevokeToken }] = await Promise.all([
    import('./add-token.tsx'),
    import('../../ui/accounts/tokens.tsx'),
  ]);
  return { AddToken, ShownToken, RevokeToken };
}

/** The user's own API tokens, with all actions. */
export function OwnTokens({ onlySome = false }: { readonly onlySome?: boolean }) {
  const { username } = useProfile();
  const [state, reload] = useLoaded(async () => {
    const [tokens, roles] = await Promise.all([
      bodyOf(apiTokensApi.index.$get({ query: { user: username } })),
      bodyOf(rolesApi.index.$get()),
    ]);
    return { tokens, roles };
  });
  const [dialog, open, close] = useDialog<Dialog>('tokens');
  const dialogs = useLater(loadDialogs, dialog !== undefined, close);
  const list = listOf(state, ({ tokens }) => tokens);
  const { heading, marked, mark, goes } = useRows(list.items.map(({ id }) => id));
  if (onlySome && list.items.length === 0) return null;
  return (
    <TitledSection
      id="tokens"
      title={text.tokens.title}
      heading={heading}
      actions={
        state.kind === 'loaded' && (
          <button type="button" class="secondary outline" onClick={() => open({ kind: 'add' })}>
            {text.tokens.add}
          </button>
        )
      }
    >
      <Table
        what={text.tokens.what}
        whatLoads={text.tokens.yours}
        list={list}
        onRetry={reload}
        empty={text.tokens.noneYet}
        caption={text.tokens.title}
        marked={marked}
        shown={tokenColumns(false, (token) => open({ kind: 'revoke', token }))}
      />
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
            showToast(fill(text.tokens.added, { name: dialog.made.name }));
            mark(dialog.made.id);
          }}
        />
      )}
      {dialogs !== undefined && dialog?.kind === 'revoke' && (
        <dialogs.RevokeToken
          token={dialog.token}
          onClose={close}
          onDone={() => {
            goes(dialog.token.id);
            showToast(fill(text.tokens.revoked, { name: dialog.token.name }));
            reload();
          }}
        />
      )}
    </TitledSection>
  );
}
