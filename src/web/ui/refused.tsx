import { codeIn, type ApiFailure } from '../api-client.ts';
import { gatePath } from '../path-prefix.ts';
import { text } from '../text.ts';
import { Message } from './notices.tsx';
import { openingText } from './opening.ts';

/** In place of a page that the gate refuses: when it opens, if it does, and the code by which an admin finds the reason. */
export function Refused({ error, title }: { readonly error: ApiFailure; readonly title: string }) {
  const code = codeIn(error.body);
  const opening = openingText(error.body);
  return (
    <Message
      title={opening ?? (code === 'outside_schedule' || code === 'stopped' ? error.message : title)}
      page
    >
      {error.decision !== undefined && (
        <p>
          {text.refused.code} <code>{error.decision}</code>
        </p>
      )}
      <a href={gatePath('/')}>{text.actions.toStart}</a>
    </Message>
  );
}
