import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { alertEvents, type AlertEvent } from '../../../../src/config/notifications-section.ts';
import { messageOf } from '../../../../src/features/alerts/message.ts';
import { mailPage } from '../../../../src/features/alerts/targets/mail.ts';
import { anyCodePoint } from '../../../support/any-code-point.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const alert = { at: 0, count: 1, user: 'vera', by: 'olaf', address: '192.0.2.7', object: 'Hall' } as const;

const byOlaf = 'By olaf, from 192.0.2.7.';

test('each event has its title and its sentence', () => {
  const told = [...(Object.keys(alertEvents) as AlertEvent[]), 'test' as const].map((event) => {
    const { title, text } = messageOf({ ...alert, count: 12, event });
    return `${title}: ${text}`;
  });
  expect(told).toEqual([
    `New device: vera signed in on 12 new devices within an hour, the last one: Hall. ${byOlaf}`,
    `New admin: vera is an admin now. ${byOlaf}`,
    `Password changed: The password of vera was changed. ${byOlaf}`,
    `Address changed: The address for alerts of vera was changed. ${byOlaf}`,
    `Second factor added: vera has another Hall. ${byOlaf}`,
    `Second factor removed: A second factor of vera was removed or replaced: Hall. ${byOlaf}`,
    `New API token: vera has a new API token: Hall. ${byOlaf}`,
    'Screen paired: vera paired a screen: Hall. From 192.0.2.7.',
    `Screen copied: The credential of the screen Hall was used in two places. Its pairing has ended. ${byOlaf}`,
    'New share: olaf shared Hall by a link. From 192.0.2.7.',
    `Share opened: A link was opened for the first time: Hall. ${byOlaf}`,
    'Invitation accepted: vera accepted an invitation by olaf. From 192.0.2.7.',
    `Sign-ins refused: 12 sign-ins were refused. ${byOlaf}`,
    `Recorder unreachable: The recorder has not answered for a minute. ${byOlaf}`,
    `Store unreachable: PostgreSQL does not answer. Requests that need it are refused. ${byOlaf}`,
    `Certificate expires: Postern's certificate expires on Hall. ${byOlaf}`,
    `Role not verified: The recorder has not confirmed these roles for ten minutes: Hall. ${byOlaf}`,
    'Access requested: vera asks for the camera Hall. From 192.0.2.7.',
    `Test alert: vera sent this test. Alerts look like this. ${byOlaf}`,
  ]);
});

test('one new device needs no number', () => {
  expect(messageOf({ ...alert, event: 'new_device' }).text).toBe(
    `vera signed in on a new device: Hall. ${byOlaf}`,
  );
});

test('without an address or someone else, nothing is added', () => {
  const { text } = messageOf({ at: 0, count: 12, event: 'sign_in_failures' });
  expect(text).toBe('12 sign-ins were refused.');
  expect(messageOf({ ...alert, event: 'token_made', by: 'vera', address: undefined as never }).text).toBe(
    'vera has a new API token: Hall.',
  );
});

const events = fc.constantFrom(...(Object.keys(alertEvents) as AlertEvent[]));
const words = fc.string({ unit: anyCodePoint, maxLength: 600 });

test('no name puts a line break into a message, or anything into a title', () => {
  const hostile = fc.oneof(words, fc.constantFrom('a\r\nBcc: b@c', '\u2028', '\u202e', '\0', '<script>'));
  assertCases(
    fc.property(events, hostile, hostile, hostile, (event, user, by, object) => {
      const { title, text } = messageOf({ ...alert, event, user, by, object });
      expect(title).toMatch(/^[A-Z][A-Za-z -]+$/);
      expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(text.length).toBeLessThanOrEqual(400);
    }),
  );
});

test('no text becomes markup in a mail', () => {
  assertCases(
    fc.property(fc.oneof(words, fc.constant('"><img src=x onerror=alert(1)>')), words, (text, house) => {
      const page = mailPage({ title: 'New admin', text, house, link: 'https://a.example/', isOwn: true });
      const tags = (html: string) => [...html.matchAll(/<\/?([a-z1]+)/gi)].map(([, name]) => name);
      const plain = mailPage({
        title: 'New admin',
        text: '',
        house: '',
        link: 'https://a.example/',
        isOwn: true,
      });
      expect(tags(page)).toEqual(tags(plain));
    }),
  );
});

test.each<[isOwn: boolean, link: string | undefined, texts: readonly string[]]>([
  [true, 'https://a.example/', ['Open your account', 'this you?']],
  [true, undefined, ['this you?']],
  [false, 'https://a.example/', ['Open your cameras']],
  [false, undefined, []],
])('the HTML of a mail about an own account (%s), with the link %s', (isOwn, link, texts) => {
  const page = mailPage({ title: 'New admin', text: 'vera', house: 'Willow Lane', link, isOwn });
  expect(page.match(/Open your \w+|this you\?/g) ?? []).toEqual(texts);
});
