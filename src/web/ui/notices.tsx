import type { ComponentChildren } from 'preact';
import { messageOf, codeIn, type ApiFailure } from '../api-client.ts';
import { fill, text, language } from '../text.ts';
import { gatePath } from '../path-prefix.ts';
import { useProfile } from '../profile.ts';
import { dayAndTime, lastMoment, timeOf } from '../../language/fill.ts';
import { browserZone, gateZone, inZone } from './time-text.ts';

/** Shows why something failed; screen readers announce it. */
export function FailureNotice({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  return (
    <p role="alert" class="notice failure">
      {messageOf(error)}
    </p>
  );
}

/** Placeholder lines, which appear only when loading takes long. */
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

/** Replaces a page that Postern refuses. It tells when the page opens, and the code by which an admin finds the reason. */
export function Refused(props: {
  readonly error: ApiFailure;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  const { error, title, children } = props;
  const code = codeIn(error.body);
  const isForNow = code === 'outside_schedule' || code === 'clock_wrong' || code === 'stopped';
  return (
    <Message title={openingText(error.body) ?? (isForNow ? error.message : title)} page>
      {!isForNow && children}
      {error.decision !== undefined && (
        <p>
          {text.refused.code} <code>{error.decision}</code>
        </p>
      )}
      <a href={gatePath('/')}>{text.actions.toStart}</a>
    </Message>
  );
}

/** When the user's access opens again, as Postern returns it. Seconds since the epoch. */
interface Opening {
  readonly opens: number | null;
  readonly closed_since: number | null;
  /** Time zone of all schedules. */
  readonly zone: string;
}

/** @returns the opening in the body of a refusal, or `undefined` if it has none */
export function openingIn(body: unknown): Opening | undefined {
  if (typeof body !== 'object' || body === null || !('opens' in body) || !('zone' in body)) return undefined;
  return body as Opening;
}

/** @returns a title that tells when access opens again, or `undefined` if that is unknown */
export function openingText(body: unknown, now = Date.now()): string | undefined {
  const opening = openingIn(body);
  if (opening === undefined) return undefined;
  const { opens, closed_since: since, zone } = opening;
  if (opens !== null && codeIn(body) === 'stopped')
    return fill(text.refused.stoppedUntil, { clock: timeOf(opens * 1000, browserZone(), language) });
  if (opens !== null)
    return fill(text.refused.opens, { when: inZone(dayAndTime(opens * 1000, now, zone, language), zone) });
  return since === null ? undefined : fill(text.refused.ended, { when: endText(since, now, zone) });
}

function endText(at: number, now: number, zone: string): string {
  return inZone(lastMoment(at * 1000, now, zone, language), zone);
}

/** Says until when the user has access; nothing where it has no end, or is closed. */
export function AccessEnd() {
  const { ends_at: ends } = useProfile();
  if (ends === undefined) return null;
  return <p class="notice">{fill(text.refused.until, { when: endText(ends, Date.now(), gateZone()) })}</p>;
}
