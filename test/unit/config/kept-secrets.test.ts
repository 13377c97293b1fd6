import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  keptSecret,
  namesVariable,
  withKeptSecrets,
  withoutSecrets,
} from '../../../src/config/kept-secrets.ts';
import { assertCases } from '../../support/assert-cases.ts';

const hook = { type: 'webhook', url: 'https://home.example/hook', secret: 'a secret of the house' };
const topic = { type: 'ntfy', url: 'https://ntfy.sh/willow', token: 'tk_1' };
const open = { type: 'ntfy', url: 'https://ntfy.sh/open' };
const mail = {
  type: 'mail',
  url: 'smtps://olaf%40home:pa55@mail.example:465',
  from: 'a@b.example',
  to: ['c@d.example'],
};
const variable = { ...mail, url: 'smtp://olaf:{SERVICE_MAIL}@mail.example:587' };
const byAddress = { ...mail, url: 'smtp://olaf@home.example:pa55@mail.example:587' };
const login = { ...topic, url: 'https://olaf:pa55@ntfy.example/willow' };
const odd = { ...open, url: ' https:olaf:pa55@ntfy.example/odd' };
const other = { ...topic, url: 'https://ntfy.sh/another', token: 'tk_2' };
const root = { ...hook, url: 'http://home.example:8123/' };
const before = [hook, topic, open, mail, variable, byAddress, login, odd, other, root];
const markOf = (host: string) =>
  expect.stringMatching(new RegExp(`^https://${host}/\\*{3}[0-9a-f]{16}$`)) as string;

test.each([
  [hook, { ...hook, url: markOf('home.example'), secret: keptSecret }],
  [topic, { ...topic, url: markOf('ntfy.sh'), token: keptSecret }],
  [other, { ...other, url: markOf('ntfy.sh'), token: keptSecret }],
  [open, { ...open, url: markOf('ntfy.sh') }],
  [root, { ...root, secret: keptSecret }],
  [mail, { ...mail, url: 'smtps://olaf%40home:***@mail.example:465' }],
  [variable, { ...variable, url: 'smtp://olaf:***@mail.example:587' }],
  [byAddress, { ...byAddress, url: 'smtp://olaf@home.example:***@mail.example:587' }],
  [login, { ...login, url: markOf('ntfy.example'), token: keptSecret }],
  [odd, { ...odd, url: markOf('ntfy.example') }],
  [
    { type: 'mail', url: 'smtp://mail.example' },
    { type: 'mail', url: 'smtp://mail.example' },
  ],
])('%j is shown as %j, and sent back it is the same', (written, shown) => {
  const sent = withoutSecrets(written);
  expect(sent).toEqual(shown);
  expect(withKeptSecrets(sent, before)).toEqual(written);
});

describe('a secret is kept', () => {
  test('beside other changes', () => {
    const wanted = { ...withoutSecrets(hook), private: true };
    expect(withKeptSecrets(wanted, before)).toEqual({ ...hook, private: true });
    const toOthers = { ...withoutSecrets(mail), to: ['e@f.example'] };
    expect(withKeptSecrets(toOthers, before)).toEqual({ ...mail, to: ['e@f.example'] });
  });

  test.each([
    ['another host', { ...hook, url: 'https://evil.example/hook', secret: keptSecret }],
    [
      'a host before the host',
      { ...login, url: 'https://olaf:x@evil.example/@ntfy.example/willow', token: keptSecret },
    ],
    [
      'its hidden path at another host',
      {
        ...withoutSecrets(topic),
        url: `https://evil.example/${String(withoutSecrets(topic)['url']).slice(16)}`,
      },
    ],
    [
      'a hidden path of no target',
      { ...topic, url: `https://ntfy.sh/***${'0'.repeat(16)}`, token: keptSecret },
    ],
    ['a hidden path of another type', { ...withoutSecrets(topic), type: 'webhook' }],
    ['another password of it', { ...login, url: 'https://olaf:x@ntfy.example/willow', token: keptSecret }],
    ['another path', { ...hook, url: 'https://home.example/other', secret: keptSecret }],
    ['another type', { type: 'ntfy', url: hook.url, token: keptSecret }],
    ['a target without one', { ...open, token: keptSecret }],
    ['another mail server', { ...mail, url: 'smtps://olaf%40home:***@evil.example:465' }],
    ['the same server without TLS', { ...mail, url: 'smtp://olaf%40home:***@mail.example:465' }],
    ['another user of it', { ...mail, url: 'smtps://eve:***@mail.example:465' }],
    ['another port', { ...mail, url: 'smtps://olaf%40home:***@mail.example:25' }],
  ])('not for %s', (_, wanted) => {
    expect(withKeptSecrets(wanted, before)).toBeUndefined();
  });
});

test('a host behind a host gets no secret', () => {
  const wanted = { ...mail, url: 'smtps://olaf%40home:***@mail.example:465@evil.example' };
  expect(JSON.stringify(withKeptSecrets(wanted, before))).not.toContain('pa55');
});

test('no secret is shown, whatever it is', () => {
  const secret = fc.string({ minLength: 8 }).map((text) => `pw-${text}`);
  assertCases(
    fc.property(secret, (password) => {
      for (const target of [
        { ...hook, secret: password },
        { ...topic, token: password },
        { ...topic, url: `https://ntfy.sh/${password}` },
        { ...hook, url: `https://home.example/hook?key=${password}#${password}` },
        { ...hook, url: `https://${encodeURIComponent(password)}@home.example/` },
        { ...mail, url: `smtps://olaf:${password}@mail.example` },
        { ...mail, url: `smtp://olaf@home.example:${password}@mail.example:587` },
      ])
        expect(JSON.stringify(withoutSecrets(target))).not.toContain(JSON.stringify(password).slice(1, -1));
    }),
  );
});

test.each([
  ['{SERVICE_JWT_SECRET}', true],
  [{ targets: [{ url: 'https://evil.example/{SERVICE_X}' }] }, true],
  [[['{']], true],
  ['Europe/Berlin', false],
  [{ targets: [hook] }, false],
  [null, false],
  [true, false],
])('%j names a variable: %s', (value, expected) => {
  expect(namesVariable(value)).toBe(expected);
});
