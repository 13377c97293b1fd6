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

/** @returns what is open in a session */
export type Within = (session: string) => ComponentChildren;

interface WatchingProps {
  /** Of whoever looks alone. */
  readonly isOwn?: boolean;
  /** Whose; undefined: everybody's. */
  readonly user?: string | undefined;
  readonly search?: string;
  /** Ids of the sessions that the page shows. */
  readonly listed: readonly string[];
  /** Takes the focus when what had it is cut. */
  readonly heading: { readonly current: HTMLElement | null };
  /** Told what is open in the sessions that the page shows. */
  readonly onWithin?: (shown: { readonly within: Within }) => void;
}

/** What is open at the gate: what belongs to a session goes to its row, and everything else stands here. */
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
