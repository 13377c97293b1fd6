import type { ComponentChildren } from 'preact';
import { text } from '../../text.ts';

/** A part of a page with its heading, and what can be done with all of it. */
export function TitledSection(props: {
  /** Of the heading. */
  readonly id: string;
  readonly title: string;
  /** It takes the focus when what had it is gone. */
  readonly heading?: { current: HTMLHeadingElement | null };
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { id, title, heading, actions, children } = props;
  return (
    <section aria-labelledby={id}>
      <div class="title-row">
        <h2 id={id} ref={heading ?? null} tabIndex={heading && -1}>
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

export function RefreshButton({
  busy = false,
  onRefresh,
}: {
  readonly busy?: boolean;
  readonly onRefresh: () => unknown;
}) {
  return (
    <button type="button" class="secondary outline" disabled={busy} onClick={() => void onRefresh()}>
      {text.lists.refresh}
    </button>
  );
}
