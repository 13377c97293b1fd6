import { plainText } from '../../audit/audit-entry.ts';
import type { AlertEvent } from '../../config/notifications-section.ts';
import type { QueuedAlert } from '../../store/outbox.ts';

type SentEvent = AlertEvent | 'test';

/** An alert of the outbox, or a test of the targets. */
export type AnyAlert = Omit<QueuedAlert, 'event'> & { readonly event: SentEvent };

/** The text of an alert: its readers are not at a page. */
interface Message {
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
  /** Name of the house. */
  readonly house: string;
  /** The page to look at; absent without `public_url`. */
  readonly link: string | undefined;
  /** It is sent to the user whose account it is about. */
  readonly isOwn: boolean;
}

type Sentence = (alert: Omit<AnyAlert, 'event' | 'at'>) => string;

const texts: Readonly<Record<SentEvent, readonly [title: string, sentence: Sentence]>> = {
  new_device: [
    'New device',
    ({ user, object, count }) =>
      count === 1
        ? `${user} signed in on a new device: ${object}.`
        : `${user} signed in on ${count} new devices within an hour, the last one: ${object}.`,
  ],
  admin_made: ['New admin', ({ user }) => `${user} is an admin now.`],
  password_changed: ['Password changed', ({ user }) => `The password of ${user} was changed.`],
  email_changed: ['Address changed', ({ user }) => `The address for alerts of ${user} was changed.`],
  factor_added: ['Second factor added', ({ user, object }) => `${user} has another ${object}.`],
  factor_removed: [
    'Second factor removed',
    ({ user, object }) => `A second factor of ${user} was removed or replaced: ${object}.`,
  ],
  token_made: ['New API token', ({ user, object }) => `${user} has a new API token: ${object}.`],
  display_paired: ['Screen paired', ({ user, object }) => `${user} paired a screen: ${object}.`],
  display_copied: [
    'Screen copied',
    ({ object }) => `The credential of the screen ${object} was used in two places. Its pairing has ended.`,
  ],
  share_made: ['New share', ({ by, object }) => `${by} shared ${object} by a link.`],
  share_opened: ['Share opened', ({ object }) => `A link was opened for the first time: ${object}.`],
  invitation_used: ['Invitation accepted', ({ user, by }) => `${user} accepted an invitation by ${by}.`],
  sign_in_failures: ['Sign-ins refused', ({ count }) => `${count} sign-ins were refused.`],
  recorder_away: ['Recorder unreachable', () => 'The recorder has not answered for a minute.'],
  store_away: ['Store unreachable', () => 'PostgreSQL does not answer. Requests that need it are refused.'],
  certificate_expiring: [
    'Certificate expires',
    ({ object }) => `Postern's certificate expires on ${object}.`,
  ],
  role_unverified: [
    'Role not verified',
    ({ object }) => `The recorder has not confirmed these roles for ten minutes: ${object}.`,
  ],
  test: ['Test alert', ({ user }) => `${user} sent this test. Alerts look like this.`],
  access_asked: ['Access requested', ({ user, object }) => `${user} asks for the camera ${object}.`],
};

/** Events that the sentence itself attributes. */
const isAttributed: ReadonlySet<SentEvent> = new Set([
  'share_made',
  'invitation_used',
  'access_asked',
  'display_paired',
]);

const longest = 400;

export function messageOf(alert: AnyAlert): Message {
  const [title, sentence] = texts[alert.event];
  const { by, user, address } = alert;
  const who = by !== undefined && by !== user && !isAttributed.has(alert.event) ? `by ${by}` : '';
  const whence = [who, address === undefined ? '' : `from ${address}`]
    .filter((part) => part !== '')
    .join(', ');
  const text =
    whence === '' ? sentence(alert) : `${sentence(alert)} ${whence[0]?.toUpperCase()}${whence.slice(1)}.`;
  return { title, text: plainText(text, longest) };
}
