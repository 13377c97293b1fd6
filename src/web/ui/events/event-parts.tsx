import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState, useLayoutEffect } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { ApiFailure, isRefused, readEvents } from '../../api-client.ts';
import { LoadFailure, Loading, Message, Refused } from '../notices.tsx';
import { gatePath } from '../../path-prefix.ts';
import { useMay, useProfile } from '../../profile.ts';
import { text } from '../../text.ts';
import { useLoaded } from '../loading.ts';
import { showToast } from '../toasts.tsx';

interface LookedUpEventProps {
  /** Another id needs another `key`. */
  readonly id: string;
  readonly show: (event: EventRecord) => ComponentChildren;
  readonly onFound?: (event: EventRecord) => void;
  /** It is the page's only content. */
  readonly page?: boolean;
}

/** An event by its id. Users limited to some cameras get one title, whether it is another camera's or does not exist. */
export function LookedUpEvent({ id, show, onFound, page = false }: LookedUpEventProps) {
  const { role } = useProfile();
  const history = useMay('history');
  const [looked, reload] = useLoaded(() => lookUp(id));
  const found = looked.kind === 'loaded' ? looked.value : undefined;
  useEffect(() => {
    if (found !== undefined) onFound?.(found);
  }, [found]);
  if (looked.kind === 'loading') return <Loading what={text.events.event} />;
  if (looked.kind === 'failed' && isRefused(looked.error))
    return (
      <Refused error={looked.error} title={history ? text.events.noSuchEventForYou : text.may.notHistory} />
    );
  if (looked.kind === 'failed')
    return <LoadFailure what={text.events.event} error={looked.error} onRetry={reload} />;
  if (found !== undefined) return <>{show(found)}</>;
  const seesAll = role === 'admin' || role === 'viewer';
  return (
    <Message title={seesAll ? text.events.noSuchEvent : text.events.noSuchEventForYou} page={page} alert>
      <a href={gatePath('/explore')}>{text.events.toExplore}</a>
    </Message>
  );
}

/** @returns the event, or `undefined` if it does not exist. @throws ApiFailure */
async function lookUp(id: string): Promise<EventRecord | undefined> {
  try {
    const { events } = await readEvents('/api/event_ids', new URLSearchParams({ ids: id }).toString());
    return events.find((event) => event.id === id);
  } catch (error) {
    // 422: the id is invalid.
    if (error instanceof ApiFailure && [404, 422].includes(error.status)) return undefined;
    throw error;
  }
}

/** Copies the address of an event. Where the browser forbids that (without TLS), it shows and selects the address. */
export function CopyLink({ path }: { readonly path: string }) {
  const [failed, setFailed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const url = new URL(path, location.origin).href;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setFailed(false);
      showToast(text.events.linkCopied);
    } catch {
      setFailed(true);
      requestAnimationFrame(() => {
        field.current?.focus();
        field.current?.select();
      });
    }
  };
  return (
    <>
      <button type="button" class="secondary outline" onClick={() => void copy()}>
        {text.events.copyLink}
      </button>
      {failed && (
        <label class="whole-row">
          {text.events.copyYourself}
          <input ref={field} readOnly value={url} />
        </label>
      )}
    </>
  );
}

const usesArrows = /^(?:input|select|textarea|video|pre)$/;

/** Leafs by the arrow keys, except where the focused element uses them. */
export function useArrowKeys(toPrevious: () => void, toNext: () => void): void {
  // A layout effect: it works as soon as the content is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (event.target instanceof Element && usesArrows.test(event.target.localName)) return;
      const isRightToLeft = getComputedStyle(document.documentElement).direction === 'rtl';
      const [previousKey, nextKey] = isRightToLeft
        ? ['ArrowRight', 'ArrowLeft']
        : ['ArrowLeft', 'ArrowRight'];
      const leaf = event.key === previousKey ? toPrevious : event.key === nextKey ? toNext : undefined;
      if (leaf === undefined) return;
      event.preventDefault();
      leaf();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
