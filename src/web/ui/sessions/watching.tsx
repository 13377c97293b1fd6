import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CutExchange } from './cut-exchange.tsx';
import { ExchangeRows, ExchangesWithin } from './exchange-list.tsx';
import { doingText, matchesSearch } from './exchange-text.ts';
import type { OpenExchange } from './exchanges-api.ts';
import { useFocusNear } from '../lists/focus-near.ts';
import { useProfile } from '../../profile.ts';
import { text } from '../../text.ts';
import { TitledSection } from '../lists/titled-section.tsx';
import { tell } from '../toasts.tsx';
import { useDialog } from '../forms/use-dialog.ts';
import { useExchanges } from './use-exchanges.ts';

/** @returns the open streams of a session */
export type Within = (session: string) => ComponentChildren;

interface WatchingProps {
  /** Only the user's own. */
  readonly isOwn?: boolean;
  /** Undefined: all users. */
  readonly user?: string | undefined;
  readonly search?: string;
  /** Ids of the sessions on the page. */
  readonly listed: readonly string[];
  /** Takes the focus when the focused element is removed. */
  readonly heading: { readonly current: HTMLElement | null };
  /** Called with the open streams of the sessions on the page. */
  readonly onWithin?: (shown: { readonly within: Within }) => void;
}

/** Open streams: those of a listed session appear in its row, all others here. */
export function Watching({ isOwn = false, user, search = '', listed, heading, onWithin }: WatchingProps) {
  const { role } = useProfile();
  const [state, refresh] = useExchanges(isOwn);
  const [cutting, open, close] = useDialog<OpenExchange>('exchanges');
  const exchanges = state?.open ?? [];
  const cuts = useFocusNear(
    exchanges.map(({ id }) => id),
    heading,
  );
  const onCut = role === 'admin' ? open : undefined;
  useEffect(() => {
    onWithin?.({
      within: (session) => (
        <ExchangesWithin exchanges={exchanges.filter((found) => found.session === session)} onCut={onCut} />
      ),
    });
  }, [state, role]);
  const others = exchanges.filter(
    (exchange) =>
      !(exchange.session !== null && listed.includes(exchange.session)) &&
      (user === undefined || exchange.user === user) &&
      matchesSearch(exchange, search),
  );
  return (
    <>
      {state?.error !== undefined && <p class="notice">{text.exchanges.notRead}</p>}
      {others.length > 0 && (
        <TitledSection id="exchanges" title={text.exchanges.title}>
          {!isOwn && <p class="hint">{text.exchanges.titleHint}</p>}
          <ExchangeRows exchanges={others} onCut={onCut} />
        </TitledSection>
      )}
      {cutting !== undefined && (
        <CutExchange
          exchange={cutting}
          onClose={close}
          onDone={() => {
            cuts(cutting.id);
            tell(text.exchanges.wasCut(doingText(cutting)));
            refresh();
          }}
        />
      )}
    </>
  );
}
