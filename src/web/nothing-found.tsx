import { Message } from './notices.tsx';
import { text } from './text.ts';

/** In place of a list in which nothing matches the filters. */
export function NothingFound({ onShowAll }: { readonly onShowAll: () => void }) {
  return (
    <Message title={text.lists.nothingFound}>
      <button type="button" onClick={onShowAll}>
        {text.lists.showAll}
      </button>
    </Message>
  );
}
