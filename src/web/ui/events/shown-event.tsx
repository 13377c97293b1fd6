import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { CopyLink } from './copy-link.tsx';
import { eventAddress } from './event-address.ts';
import { linkOf } from './event-card.tsx';
import { EventDetails } from './event-details.tsx';
import { openEventId, useOpenEvent } from './event-over.tsx';
import { titleOf } from '../event-text.ts';
import { LookedUpEvent } from './looked-up-event.tsx';
import { Modal } from '../forms/modal.tsx';
import { ShareButton } from '../shares/share-button.tsx';
import { text } from '../../text.ts';
import { useArrowKeys } from './use-arrow-keys.ts';
import { useTitleOver } from '../use-page-title.ts';

export interface EventDialogProps {
  /** Of the list that it leafs through. */
  readonly events: readonly EventRecord[];
  /** Told when hardly any event of the list comes after the one that is shown. */
  readonly onNearEnd?: () => void;
}

/** The event that is open over the page. */
export function OpenEvent({ events, onNearEnd, id }: EventDialogProps & { readonly id: string }) {
  const { open, close } = useOpenEvent();
  const [lookedUp, setLookedUp] = useState<EventRecord>();
  const place = events.findIndex((event) => event.id === id);
  const listed = events[place];
  const event = listed ?? (lookedUp?.id === id ? lookedUp : undefined);
  const title = event === undefined ? text.events.event : titleOf(event);
  useTitleOver(title);

  // Somebody wants the event after the last one, which is still being loaded.
  const goesOn = useRef(false);
  const leaf = (step: number) => {
    // Whoever holds a key down is ahead of what is drawn.
    const from = events.findIndex((known) => known.id === openEventId());
    const there = from === -1 ? undefined : events[from + step];
    goesOn.current = there === undefined && step > 0;
    if (there !== undefined) open(there.id);
  };
  useEffect(() => {
    if (goesOn.current) leaf(1);
  }, [events.length]);
  useArrowKeys(
    () => leaf(-1),
    () => leaf(1),
  );
  const isNearEnd = place !== -1 && place >= events.length - 3;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, events.length]);

  return (
    <Modal
      title={title}
      wide
      onClose={close}
      // The event that was shown last, not the one that was opened first.
      backTo={() => linkOf(id)}
    >
      <div class="event-bar">
        {place !== -1 && (
          <>
            <LeafButton name={text.events.previous} disabled={place === 0} onClick={() => leaf(-1)} />
            <LeafButton
              name={text.events.next}
              disabled={place === events.length - 1}
              onClick={() => leaf(1)}
            />
          </>
        )}
        <CopyLink path={eventAddress(id)} />
        {event !== undefined && (
          <ShareButton key={id} target={{ kind: 'event', id, title }}>
            {text.events.share}
          </ShareButton>
        )}
      </div>
      <p class="hidden-text" role="status">
        {listed !== undefined && text.events.placeInList(title, place + 1, events.length)}
      </p>
      {listed === undefined ? (
        <LookedUpEvent
          key={id}
          id={id}
          onFound={setLookedUp}
          show={(found) => <EventDetails event={found} />}
        />
      ) : (
        <EventDetails event={listed} />
      )}
    </Modal>
  );
}

/** One that leads nowhere keeps the focus: who leafs by it goes back by it. */
function LeafButton(props: {
  readonly name: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" class="secondary outline" aria-disabled={props.disabled} onClick={props.onClick}>
      {props.name}
    </button>
  );
}
