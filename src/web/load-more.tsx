import { text } from './text.ts';

/** The button below a list of which there is another page. */
export function LoadMore({ busy = false, onLoad }: { readonly busy?: boolean; readonly onLoad: () => void }) {
  return (
    <p class="placeholder">
      <button type="button" class="secondary outline" disabled={busy} onClick={onLoad}>
        {text.lists.loadMore}
      </button>
    </p>
  );
}
