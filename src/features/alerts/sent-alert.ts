import type { AlertEvent } from '../../config/notifications-section.ts';
import type { QueuedAlert } from '../../store/outbox.ts';

export type SentEvent = AlertEvent | 'test';

/** An alert of the outbox, or a test of the targets. */
export type AnyAlert = Omit<QueuedAlert, 'event'> & { readonly event: SentEvent };

/** The text of an alert: its readers are not at a page. */
export interface Message {
  /** Fixed for each event, so that nothing a client sent gets into a header. */
  readonly title: string;
  /** One sentence or two, on one line. */
  readonly text: string;
}

/** An alert on its way. */
export interface SentAlert {
  /** The same whenever it is sent again. */
  readonly id: string;
  readonly alert: AnyAlert;
  readonly message: Message;
  /** What the house is called. */
  readonly house: string;
  /** The page to look at; undefined: without `public_url` there is no address. */
  readonly link: string | undefined;
  /** It goes to the user whose account it is about. */
  readonly isOwn: boolean;
}
