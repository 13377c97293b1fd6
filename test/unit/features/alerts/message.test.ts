import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { alertEvents, type AlertEvent } from '../../../../src/config/notifications-section.ts';
import { messageOf } from '../../../../src/features/alerts/message.ts';
import { mailPage } from '../../../../src/features/alerts/targets/mail.ts';
import { anyCodePoint } from '../../../support/any-code-point.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const alert = { at: 0, count: 1, user: 'vera', by: 'olaf', address: '192.0.2.7', object: 'Hall' } as const;

test.each<[event: AlertEvent, text: string]>([
  ['new_device', 'vera signed in on a new device: Hall. By olaf, from 192.0.2.7.'],
  ['admin_made', 'vera is an admin now. By olaf, from 192.0.2.7.'],
  ['share_made', 'olaf shared Hall by a link. From 192.0.2.7.'],
  ['access_asked', 'vera asks for the camera Hall. From 192.0.2.7.'],
])('%s', (event, text) => {
  expect(messageOf({ ...alert, event }).text).toBe(text);
});

test('several new devices are one sentence', () => {
  expect(messageOf({ ...alert, event: 'new_device', count: 3 }).text).toMatch(
    /^vera signed in on 3 new devices within an hour, the last one: Hall\./,
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
