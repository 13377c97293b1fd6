import type { ComponentChildren } from 'preact';
import { messageOf } from './api-client.ts';

/** Says why something failed, and says it aloud. */
export function FailureNotice({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  return (
    <p role="alert" class="notice failure">
      {messageOf(error)}
    </p>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="placeholder" role="status" aria-busy="true">
      Loading {what}…
    </p>
  );
}

/** A whole page or list that has nothing to show, and why. */
export function EmptyState(props: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly alert?: boolean;
}) {
  return (
    <section class="empty" role={props.alert === true ? 'alert' : undefined}>
      <h2>{props.title}</h2>
      {props.children}
    </section>
  );
}
