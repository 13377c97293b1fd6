import { apiTokensApi, bodyOf, type ApiToken } from '../../api-client.ts';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { fill, text } from '../../text.ts';

/** @throws ApiFailure */
export async function revokeToken({ id }: ApiToken): Promise<void> {
  await bodyOf(apiTokensApi[':id'].$delete({ param: { id } }));
}

export function RevokeToken({ token, ...dialog }: DialogProps & { readonly token: ApiToken }) {
  return (
    <FormDialog
      title={fill(text.tokens.revokeQuestion, { name: token.name })}
      submit={text.tokens.revokeToken}
      danger
      onSubmit={() => revokeToken(token)}
      {...dialog}
    >
      <p>{fill(text.tokens.revokeMeans, { name: token.name, user: token.username })}</p>
    </FormDialog>
  );
}
