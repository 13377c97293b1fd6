import type { ComponentChildren } from 'preact';
import { text } from '../../text.ts';

/** A section with its heading, and actions for the whole section. */
export function TitledSection(props: {
  /** Of the heading. */
  readonly id: string;
  readonly title: string;
  /** Takes the focus when the focused element is removed. */
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
