import { cutExchange, type OpenExchange } from './exchanges-api.ts';
import { doingText, isOfShare, sinceText, userText } from './exchange-text.ts';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { text } from '../../text.ts';

/** Asks for confirmation before a stream is cut. */
export function CutExchange({ exchange, ...dialog }: DialogProps & { readonly exchange: OpenExchange }) {
  const user = userText(exchange);
  return (
    <FormDialog
      title={text.exchanges.cutQuestion}
      submit={text.exchanges.cutIt}
      danger
      onSubmit={() => cutExchange(exchange.id)}
      {...dialog}
    >
      <p>
        <strong>{user}</strong>: {doingText(exchange)} {sinceText(exchange)}
      </p>
      <p>{isOfShare(exchange) ? text.exchanges.cutMeansOfShare : text.exchanges.cutMeans(user)}</p>
    </FormDialog>
  );
}
