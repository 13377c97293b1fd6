import { Message } from '../notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { text } from '../../text.ts';

/** In place of a page with recordings, for users whose role does not include them. */
export function NoRecordings() {
  return (
    <Message title={text.may.notHistory} page>
      <a href={gatePath('/')}>{text.actions.toStart}</a>
    </Message>
  );
}
