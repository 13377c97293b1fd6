import { LocationProvider, useLocation } from 'preact-iso';
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useReducer } from 'preact/hooks';
import { eventAddress } from '../event-text.ts';

/** History state of an event that is shown over the page it was opened from. */
interface EventOver {
  readonly event: string;
  /** Address of that page. */
  readonly below: string;
}

interface OpenEvent {
  /** The event shown over the page. */
  readonly id: string | undefined;
  /** Shows an event at its own address; one that replaces another adds no history entry. */
  readonly open: (id: string) => void;
  /** Goes back to the page. */
  readonly close: () => void;
}

const OpenEventContext = createContext<OpenEvent | undefined>(undefined);

export function useOpenEvent(): OpenEvent {
  const found = useContext(OpenEventContext);
  if (found === undefined) throw new Error('no place for an event around this component');
  return found;
}

/** Keeps pages in place while an event is shown over them: the event has the address, and Back closes it. */
export function EventPlace({ children }: { readonly children: ComponentChildren }) {
  const location = useLocation();
  const [, look] = useReducer((looks: number) => looks + 1, 0);
  useEffect(() => {
    addEventListener('popstate', look);
    return () => removeEventListener('popstate', look);
  }, []);
  const over = overIn(history.state);
  const below = over?.below;
  const pageLocation = useMemo(() => {
    if (below === undefined) return location;
    const url = new URL(below, window.location.origin);
    const path = url.pathname.replace(/\/+$/, '') || '/';
    return { ...location, url: below, path, query: Object.fromEntries(url.searchParams) };
  }, [location, below]);
  const openEvent = useMemo(() => ({ id: over?.event, open, close: () => history.back() }), [over?.event]);
  return (
    <LocationProvider.ctx.Provider value={pageLocation}>
      <OpenEventContext.Provider value={openEvent}>{children}</OpenEventContext.Provider>
    </LocationProvider.ctx.Provider>
  );
}

/** @returns the event in the address right now, perhaps before it is rendered */
export function openEventId(): string | undefined {
  return overIn(history.state)?.event;
}

function open(id: string): void {
  const shown = overIn(history.state);
  const state: EventOver = {
    event: id,
    below: shown?.below ?? window.location.pathname + window.location.search,
  };
  if (shown === undefined) history.pushState(state, '', eventAddress(id));
  else history.replaceState(state, '', eventAddress(id));
  // Listeners get no other notice of changes that scripts make to the address.
  dispatchEvent(new PopStateEvent('popstate', { state }));
}

function overIn(state: unknown): EventOver | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { event, below } = state as Partial<Record<keyof EventOver, unknown>>;
  return typeof event === 'string' && typeof below === 'string' ? { event, below } : undefined;
}
