import { expect, test } from 'vitest';
import { alertEvents } from '../../../../src/config/notifications-section.ts';
import { everyEvent } from '../../../../src/web/pages/notifications/heard-events.ts';
import {
  madeUpTopic,
  mailServerOf,
  placeOf,
  targetIn,
  withTarget,
  type Target,
} from '../../../../src/web/pages/notifications/targets.ts';

const form = (fields: Readonly<Record<string, string>>) => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  return made;
};
const ntfy: Target = { type: 'ntfy', url: 'https://ntfy.sh/a', token: '***' };
const mail: Target = {
  type: 'mail',
  url: 'smtps://olaf%40b.example:***@mail.b.example',
  from: 'olaf@b.example',
  to: [],
};
const typedMail = { server: 'mail.b.example', port: '465', user: 'olaf@b.example', password: '' };

test('each event has a switch, and only one', () => {
  expect(everyEvent.toSorted()).toEqual(Object.keys(alertEvents).toSorted());
});

test.each([
  ['willow-lane', 'https://ntfy.sh/willow-lane'],
  ['ntfy.home.example/a', 'https://ntfy.home.example/a'],
  ['  http://192.168.1.5/a ', 'http://192.168.1.5/a'],
])('the topic %j is %s', (url, expected) => {
  expect(targetIn(form({ url, token: '' }), 'ntfy', undefined)).toEqual({ type: 'ntfy', url: expected });
});

test.each<[fields: Record<string, string>, before: Target | undefined, expected: object]>([
  [{ url: ntfy.url, token: '' }, ntfy, { token: '***' }],
  [{ url: '', token: '' }, ntfy, { url: ntfy.url, token: '***' }],
  [{ url: ntfy.url, token: 'tk_new' }, ntfy, { token: 'tk_new' }],
  [{ url: 'https://ntfy.sh/b', token: '' }, ntfy, { url: 'https://ntfy.sh/b', token: '***' }],
  [{ url: ntfy.url, token: '', private: 'on' }, undefined, { private: true }],
])('of %j, the secret that is not typed is the one before', (fields, before, expected) => {
  expect(targetIn(form(fields), 'ntfy', before)).toMatchObject(expected);
});

test.each<[fields: Record<string, string>, before: Target | undefined, url: string]>([
  [typedMail, mail, mail.url],
  [
    { ...typedMail, password: 'p{@}:/' },
    mail,
    'smtps://olaf%40b.example:p%7B%40%7D%3A%2F@mail.b.example:465',
  ],
  [{ ...typedMail, port: '587' }, mail, 'smtp://olaf%40b.example:***@mail.b.example:587'],
  [{ ...typedMail, password: 'p' }, undefined, 'smtps://olaf%40b.example:p@mail.b.example:465'],
  [{ server: 'smtp://nas.lan', port: '25', user: '', password: '' }, undefined, 'smtp://nas.lan:25'],
])('a mail server of %j', (fields, before, url) => {
  const to = 'anna@b.example, nell@b.example;olaf@b.example';
  expect(targetIn(form({ ...fields, from: 'a@b.example', to }), 'mail', before)).toMatchObject({
    url,
    to: ['anna@b.example', 'nell@b.example', 'olaf@b.example'],
  });
});

test.each([
  ['smtp://nas.lan', { server: 'nas.lan', port: '587', user: '', hasPassword: false }],
  [mail.url, { server: 'mail.b.example', port: '465', user: 'olaf@b.example', hasPassword: true }],
  ['smtps://{SERVICE_HOST}:{SERVICE_PORT}', { server: '', port: '465', user: '', hasPassword: false }],
])('the parts of %s', (url, expected) => {
  expect(mailServerOf({ ...mail, url })).toEqual(expected);
});

test.each([
  [ntfy, 'ntfy.sh'],
  [{ ...mail, to: ['a@b.example', 'c@d.example'] }, 'a@b.example, c@d.example'],
  [mail, 'olaf@b.example'],
  [{ ...mail, url: 'smtps://{SERVICE_HOST}:{SERVICE_PORT}' }, 'smtps://{SERVICE_HOST}:{SERVICE_PORT}'],
] as const)('%j leads to %s', (target, place) => {
  expect(placeOf(target)).toBe(place);
});

test('a target is added, changed where it stands, and removed; the rest of the settings stays', () => {
  const settings = { targets: [ntfy, mail], events: ['admin_made'] } as const;
  const changed = { ...ntfy, url: 'https://ntfy.sh/b' };
  expect(withTarget(settings, ntfy, changed)).toEqual({ ...settings, targets: [changed, mail] });
  expect(withTarget(settings, undefined, changed)).toEqual({ ...settings, targets: [ntfy, mail, changed] });
  expect(withTarget(settings, ntfy, undefined)).toEqual({ ...settings, targets: [mail] });
  // Someone else removed it meanwhile.
  expect(withTarget({ targets: [] }, ntfy, undefined)).toEqual({ targets: [] });
  expect(withTarget({}, undefined, mail)).toEqual({ targets: [mail] });
});

test.each([
  ['Willow Lane', /^https:\/\/ntfy\.sh\/willow-lane-[a-z2-9]{12}$/],
  ['Haus Müller', /^https:\/\/ntfy\.sh\/haus-mu-?ller-[a-z2-9]{12}$/],
  ['家', /^https:\/\/ntfy\.sh\/postern-[a-z2-9]{12}$/],
])('the topic made up for %s', (house, expected) => {
  expect(madeUpTopic(house)).toMatch(expected);
  expect(madeUpTopic(house)).not.toBe(madeUpTopic(house));
});
