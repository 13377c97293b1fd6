import type { ComponentChildren } from 'preact';
import { messageOf } from '../api-client.ts';
import { fill, text } from '../text.ts';

/** Shows why something failed; screen readers announce it. */
export function FailureNotice({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  return (
    <p role="alert" class="notice failure">
      {messageOf(error)}
    </p>
  );
}

/** Lines in the place of what comes; they appear only when it takes long. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="loading" role="status" aria-busy="true">
      <i />
      <i />
      <i />
      <i />
      <span class="hidden-text">{fill(text.progress.loading, { what })}</span>
    </div>
  );
}

/** A line below the bar while the next page is being loaded. */
export function PageLoading() {
  return (
    <p class="page-loading" role="status">
      <span class="hidden-text">{fill(text.progress.loading, { what: text.site.page })}</span>
    </p>
  );
}

/** A message in place of a page or a list. */
export function Message(props: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly alert?: boolean;
  /** It is the page's only content. */
  readonly page?: boolean;
}) {
  const Heading = props.page === true ? 'h1' : 'h2';
  return (
    <section class="message" role={props.alert === true ? 'alert' : undefined}>
      <Heading>{props.title}</Heading>
      {props.children}
    </section>
  );
}

export function LoadFailure(props: {
  readonly what: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  return (
    <Message title={fill(text.progress.notLoaded, { what: props.what })} alert>
      <p>{messageOf(props.error)}</p>
      <button type="button" onClick={props.onRetry}>
        {text.actions.tryAgain}
      </button>
    </Message>
  );
}
