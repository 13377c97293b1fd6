import { cutStream, type OpenStream } from './streams-api.ts';
import { doingText, isOfShare, sinceText, userText } from './stream-text.ts';
import { FormDialog, type DialogProps } from '../forms/form-dialog.tsx';
import { text } from '../../text.ts';

/** Asks for confirmation before a stream is cut. */
export function CutStream({ stream, ...dialog }: DialogProps & { readonly stream: OpenStream }) {
  const user = userText(stream);
  return (
    <FormDialog
      title={text.exchanges.cutQuestion}
      submit={text.exchanges.cutIt}
      danger
      onSubmit={() => cutStream(stream.id)}
      {...dialog}
    >
      <p>
        <strong>{user}</strong>: {doingText(stream)} {sinceText(stream)}
      </p>
      <p>{isOfShare(stream) ? text.exchanges.cutMeansOfShare : text.exchanges.cutMeans(user)}</p>
    </FormDialog>
  );
}
