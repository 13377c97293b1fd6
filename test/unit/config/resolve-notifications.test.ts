import { expect, test } from 'vitest';
import { problemText, resolve } from './resolve-document.ts';

const hook = { type: 'webhook', url: 'https://home.example/hook', secret: 'sixteen characters' };
const mail = { type: 'mail', url: 'smtps://mail.example', from: 'gate@home.example' };
const ntfy = { type: 'ntfy', url: 'https://ntfy.sh/topic' };
const withTargets = (...targets: object[]) => ({ notifications: { targets } });

test('secrets, tokens and passwords come from the environment', () => {
  const { targets } = resolve(
    withTargets(
      { ...hook, secret: '{SERVICE_HOOK}' },
      { ...ntfy, token: '{SERVICE_TOKEN}' },
      { ...mail, url: 'smtps://gate:{SERVICE_MAIL}@mail.example' },
    ),
    { SERVICE_HOOK: 'the secret of the hook', SERVICE_TOKEN: 'tk_1', SERVICE_MAIL: 'p%40ss' },
  ).notifications;
  expect(targets).toEqual([
    { ...hook, secret: 'the secret of the hook', mayBePrivate: false },
    { ...ntfy, token: 'tk_1', mayBePrivate: false },
    { ...mail, url: 'smtps://gate:p%40ss@mail.example', to: [], mayBePrivate: false },
  ]);
});

test.each<[url: string, isPrivate: boolean | undefined, mayBePrivate: boolean]>([
  ['https://home.example/a', undefined, false],
  ['https://home.example/a', true, true],
  ['http://192.168.1.5/a', undefined, true],
  ['http://localhost:8080/a', undefined, true],
  ['http://ntfy/a', undefined, true],
  ['http://nas.local/a', undefined, true],
  ['http://[fd00::1]/a', undefined, true],
  ['https://1.1.1.1/a', undefined, false],
])('%s with private %s', (url, isPrivate, mayBePrivate) => {
  const target = { ...hook, url, ...(isPrivate !== undefined && { private: isPrivate }) };
  expect(resolve(withTargets(target)).notifications.targets[0]?.mayBePrivate).toBe(mayBePrivate);
});

test.each<[what: string, document: object, problem: string]>([
  ['no type', withTargets({ url: 'x' }), 'notifications.targets.0.type: found nothing'],
  ['another type', withTargets({ type: 'sms' }), 'notifications.targets.0'],
  ['an empty secret', withTargets({ ...hook, secret: '' }), 'notifications.targets.0.secret'],
  [
    'no secret',
    withTargets({ type: 'webhook', url: hook.url }),
    'notifications.targets.0.secret: found nothing',
  ],
  ['another scheme', withTargets({ ...hook, url: 'file:///etc/passwd' }), 'notifications.targets.0.url'],
  [
    'a token with a line break',
    withTargets({ ...ntfy, token: 'tk_1\r\nTags: skull' }),
    'notifications.targets.0.token: found a secret with a control character',
  ],
  ['a token with a blank', withTargets({ ...ntfy, token: 'tk 1' }), 'notifications.targets.0.token'],
  [
    'a token that no header carries',
    withTargets({ ...ntfy, token: 'tk_\u0430' }),
    'notifications.targets.0.token',
  ],
  [
    'a secret with a line break',
    withTargets({ ...hook, secret: 'sixteen characters\nand more' }),
    'notifications.targets.0.secret',
  ],
  [
    'a URL of a mail server with a line break',
    withTargets({ ...mail, url: 'smtp://gate:a\nb@mail.example' }),
    'notifications.targets.0.url',
  ],
  ['no topic', withTargets({ ...ntfy, url: 'https://ntfy.sh/' }), 'notifications.targets.0.url'],
  [
    'a mail server by http',
    withTargets({ ...mail, url: 'http://mail.example' }),
    'notifications.targets.0.url',
  ],
  [
    'a mailbox with a line break',
    withTargets({ ...mail, from: 'a@b.c\r\nBcc: d@e.f' }),
    'notifications.targets.0.from',
  ],
  [
    'a mailbox without a name',
    withTargets({ ...mail, to: ['@home.example'] }),
    'notifications.targets.0.to.0',
  ],
  [
    'a misspelt key',
    withTargets({ ...hook, sceret: 'x' }),
    'notifications.targets.0.sceret: found an unknown key',
  ],
  [
    'an unknown variable',
    withTargets({ ...hook, secret: '{SERVICE_NOT_THERE_AT_ALL}' }),
    'notifications.targets.0.secret',
  ],
  ['an unknown event', { notifications: { events: ['fire'] } }, 'notifications.events.0'],
  [
    'a push service with a path',
    { notifications: { push_services: ['https://a/b'] } },
    'notifications.push_services.0',
  ],
  ['an unknown key', { notifications: { target: [] } }, 'notifications.target: found an unknown key'],
  [
    'a word for viewing',
    { audit: { viewing: 'yes' } },
    'audit.viewing: found "yes", allowed is true, false or required (did you mean true?)',
  ],
])('%s is a mistake', (_, document, problem) => {
  expect(problemText(document)).toContain(problem);
});

test('a short secret is a warning', () => {
  const { warnings } = resolve(withTargets({ ...hook, secret: 'short' }));
  expect(warnings.join('\n')).toContain('notifications.targets.0.secret is short');
});

test('no message repeats a secret', () => {
  const text = problemText(
    withTargets(
      { ...hook, secret: 'hunter2' },
      { ...mail, url: 'smtp://gate:hunter2 hunter2@mail.example' },
      { ...ntfy, url: 'ftp://hunter2' },
    ),
  );
  expect(text).toContain('notifications.targets.1.url');
  expect(text).not.toContain('hunter2');
});
