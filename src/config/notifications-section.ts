import * as v from 'valibot';
import { parseEmail } from '../policy/email-address.ts';
import { isPublicHost } from '../policy/public-address.ts';
import { described, text } from './values.ts';

/** Everything that an alert can be about. Programs of operators compare these names: they are never renamed. */
export const alertEvents = {
  new_device: 'someone signed in on a device that the account had not been used on',
  admin_made: 'a user became an admin',
  password_changed: 'a password was changed or reset',
  email_changed: 'the address for alerts of an account was changed; the former address gets a mail too',
  factor_added: 'a user has another passkey or another app for codes',
  factor_removed: 'a passkey or the codes of an app were removed, or replaced',
  token_made: 'an API token was created',
  display_paired: 'a screen was paired',
  display_copied: 'the credential of a screen was used in two places; its pairing was ended',
  share_made: 'something was shared by a link',
  share_opened: 'a link was opened for the first time',
  invitation_used: 'someone accepted an invitation',
  sign_in_failures: 'many sign-ins were refused; `count` is their number',
  recorder_away: 'the recorder has not answered for a minute',
  store_away: 'PostgreSQL does not answer',
  certificate_expiring: "Postern's certificate expires within ten days",
  role_unverified: 'the recorder has not confirmed a role for ten minutes',
  access_asked: 'someone asked for a camera',
} as const;

export type AlertEvent = keyof typeof alertEvents;

const eventNames = Object.keys(alertEvents) as AlertEvent[];

const targetUrl = (allowed: string, protocols: readonly string[]) =>
  v.pipe(
    v.string(allowed),
    v.check((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), allowed),
  );

/** Checked after the placeholders of a mail server's URL were replaced, so braces are no fault yet. */
const mailServer = v.pipe(
  v.string('smtp://host:port or smtps://host'),
  v.regex(/^smtps?:\/\/\S+$/, 'smtp://host:port or smtps://host, with user and password if it needs them'),
);

const mailbox = v.pipe(
  v.string('an e-mail address'),
  v.check((value) => (parseEmail(value)?.local ?? '') !== '', 'an e-mail address such as olaf@example.org'),
);

const common = {
  private: described(
    v.optional(v.boolean('true or false'), false),
    '`true`: a name that resolves to an address in your own network is allowed.',
  ),
};

const kind = <K extends string>(name: K) =>
  described(v.literal(name), 'How alerts are sent: webhook, ntfy or mail.');

const target = v.variant(
  'type',
  [
    v.strictObject(
      {
        type: kind('webhook'),
        url: targetUrl('an http or https URL', ['http:', 'https:']),
        secret: text('the secret that signs what is sent'),
        ...common,
      },
      'a webhook with the keys type, url, secret, private',
    ),
    v.strictObject(
      {
        type: kind('ntfy'),
        url: v.pipe(
          targetUrl('the http or https URL of a topic', ['http:', 'https:']),
          v.check(
            (value) => URL.parse(value)?.pathname !== '/',
            'a URL that ends with the topic, such as https://ntfy.sh/my-topic',
          ),
        ),
        token: described(v.optional(v.string('text')), 'Access token of the ntfy server.'),
        ...common,
      },
      'an ntfy topic with the keys type, url, token, private',
    ),
    v.strictObject(
      {
        type: kind('mail'),
        url: mailServer,
        from: described(mailbox, 'Address of the sender.'),
        to: described(
          v.optional(v.array(mailbox, 'a list of e-mail addresses'), []),
          'Recipients. Without one, only the mails to users themselves are sent.',
        ),
        ...common,
      },
      'a mail server with the keys type, url, from, to, private',
    ),
  ],
  'a target of type webhook, ntfy or mail',
);

/** The section `notifications` of config.yml. */
export const notifications = {
  targets: described(
    v.nullish(v.array(target, 'a list of targets'), []),
    'Where alerts go: webhooks, ntfy topics and mail servers (docs/notifications.md).',
  ),
  events: described(
    v.nullish(v.array(v.picklist(eventNames, `one of ${eventNames.join(', ')}`), 'a list of events')),
    'What alerts are about. Default: all.',
  ),
  push_services: described(
    v.nullish(
      v.array(
        v.pipe(
          v.string('an origin'),
          v.check((value) => {
            const url = URL.parse(value);
            return url !== null && url.origin === value && /^https?:$/.test(url.protocol);
          }, 'an origin such as https://push.home.example'),
        ),
        'a list of origins',
      ),
      [],
    ),
    'Origins of push services in your own network. All others need public addresses.',
  ),
};

/** Whether a URL names an address of a private network by itself, so that the operator meant it. */
export function namesPrivateHost(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return !isPublicHost(host);
}
