import type { ComponentChildren } from 'preact';

/** A section with its heading, and actions for the whole section. */
export function TitledSection(props: {
  /** Of the heading. */
  readonly id: string;
  readonly title: string;
  /** It is the page's own title. */
  readonly page?: boolean;
  /** Takes the focus when the focused element is removed. */
  readonly heading?: { current: HTMLHeadingElement | null };
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { id, title, heading, actions, children } = props;
  const Heading = props.page === true ? 'h1' : 'h2';
  return (
    <section aria-labelledby={id}>
      <div class="title-row">
        <Heading id={id} ref={heading ?? null} tabIndex={heading && -1}>
          {title}
        </Heading>
        {actions}
      </div>
      {children}
    </section>
  );
}
