import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiFailure } from '../../api-client.ts';
import { useOpenEvent } from './event-over.tsx';
import { Modal } from '../forms/modal.tsx';
import { LoadFailure } from '../notices.tsx';
import type { EventDialogProps } from './shown-event.tsx';
import { text } from '../../text.ts';

type Shown = ComponentType<EventDialogProps & { readonly id: string }>;

/** The event that is open over the page, if any. Its code is loaded on first use. */
export function EventDialog(props: EventDialogProps) {
  const { id } = useOpenEvent();
  const isOpen = id !== undefined;
  const [shown, setShown] = useState<{ readonly Event: Shown }>();
  useEffect(() => {
    if (!isOpen || shown !== undefined) return;
    import('./shown-event.tsx').then(
      ({ OpenEvent }) => setShown({ Event: OpenEvent }),
      () => setShown({ Event: NotLoaded }),
    );
  }, [isOpen]);
  return id === undefined || shown === undefined ? null : <shown.Event {...props} id={id} />;
}

/** After an upgrade of Postern the file has another name, which only a full page load finds. */
function NotLoaded() {
  const { close } = useOpenEvent();
  const error = new ApiFailure(0, text.progress.noAnswer);
  return (
    <Modal title={text.events.event} onClose={close}>
      <LoadFailure what={text.events.event} error={error} onRetry={() => location.reload()} />
    </Modal>
  );
}
