import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventRecord } from '../../../events/event-record.ts';
import { CopyLink, LookedUpEvent, useArrowKeys } from './event-parts.tsx';
import { eventAddress, titleOf } from '../event-text.ts';
import { linkOf } from './event-card.tsx';
import { EventDetails } from './event-details.tsx';
import { openEventId, useOpenEvent } from './event-over.tsx';
import { Modal } from '../forms/modal.tsx';
import { ShareButton } from '../shares/share-button.tsx';
import { fill, text } from '../../text.ts';
import { useTitleOver } from '../page-hooks.ts';

export interface EventDialogProps {
  /** The list to leaf through. */
  readonly events: readonly EventRecord[];
  /** Called when few events of the list are left after the shown one. */
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

  // The user asked for the event after the last one, which is still loading.
  const wantsNext = useRef(false);
  const leaf = (step: number) => {
    // While a key is held down, the address is ahead of what is rendered.
    const from = events.findIndex((known) => known.id === openEventId());
    const there = from === -1 ? undefined : events[from + step];
    wantsNext.current = there === undefined && step > 0;
    if (there !== undefined) open(there.id);
  };
  useEffect(() => {
    if (wantsNext.current) leaf(1);
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
      // The focus goes to the event shown last, not to the one opened first.
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
        {listed !== undefined &&
          fill(text.events.placeInList, { title, place: place + 1, all: events.length })}
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

/** Keeps the focus when it is disabled, so that the user can go back by keyboard. */
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
