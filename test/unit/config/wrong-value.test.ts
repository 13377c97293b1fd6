import { describe, expect, test } from 'vitest';
import { problemText } from './resolve-document.ts';

describe('where few words are allowed, the word and the nearest', () => {
  test.each<[document: object, text: string]>([
    [
      { auth: { enabled: 'off' } },
      'auth.enabled: found "off", allowed is true or false (did you mean false?)',
    ],
    [
      { tls: { enabled: 'Flase' } },
      'tls.enabled: found "Flase", allowed is true or false (did you mean false?)',
    ],
    [
      { audit: { viewing: 'requird' } },
      'audit.viewing: found "requird", allowed is true, false or required (did you mean required?)',
    ],
    [{ notifications: { events: ['new-device'] } }, '(did you mean new_device?)'],
    [
      { notifications: { targets: [{ type: 'web-hook' }] } },
      'notifications.targets.0.type: found "web-hook"',
    ],
    [
      { auth: { roles: { a: ['x'] }, role_access: { a: { may: ['lvie'] } } } },
      'auth.role_access.a.may.0: found "lvie"',
    ],
    [{ access: { rules: [{ path: '/a', require: 'admin_only' }] } }, '(did you mean admin-only?)'],
  ])('%j', (document, text) => {
    expect(problemText(document)).toContain(text);
  });
});

test('a placeholder without quotation marks, which YAML reads as a map', () => {
  expect(problemText({ proxy: { auth_secret: { FRIGATE_PROXY_SECRET: null } } })).toBe(
    'proxy.auth_secret: found {FRIGATE_PROXY_SECRET} without quotation marks, which is a map, allowed is "{FRIGATE_PROXY_SECRET}"',
  );
  expect(problemText({ proxy: { auth_secret: { hunter2: null } } })).not.toContain('hunter2');
});

test.each<[what: string, document: object]>([
  ['free text', { auth: { session_length: 'hunter2 hunter2' } }],
  ['a secret of the wrong type', { proxy: { auth_secret: ['hunter2'] } }],
  ['what is no word', { auth: { enabled: 'hunter2:/"' } }],
  ['a long text', { auth: { enabled: 'hunter2'.repeat(5) } }],
])('%s is not repeated', (_, document) => {
  expect(problemText(document)).toMatch(/found (?:text|a list)/);
  expect(problemText(document)).not.toContain('hunter2');
});

describe('an unknown key gets one suggestion', () => {
  test.each<[document: object, text: string]>([
    [
      { auth: { sesion_length: 5 } },
      'auth.sesion_length: found an unknown key, allowed is auth.session_length (did you mean that?)',
    ],
    [{ proxy: { header_map: { usr: 'x' } } }, 'allowed is proxy.header_map.user (did you mean that?)'],
    [{ auth: { default_role: 'viewer' } }, 'allowed is proxy.default_role (did you mean that?)'],
    [{ auth: { public_url: 'https://a.example' } }, 'allowed is public_url (did you mean that?)'],
    [{ auth: { something_else: 5 } }, 'allowed is a key of auth (docs/configuration.md#auth)'],
    [
      { auth: { roles: { a: ['x'] }, role_access: { a: { huors: '07:00-19:00' } } } },
      'allowed is auth.role_access.a.hours (did you mean that?)',
    ],
    [{ access: { rules: [{ path: '/a', requires: 'any' }] } }, 'access.rules.0.require (did you mean that?)'],
  ])('%j', (document, text) => {
    expect(problemText(document)).toContain(text);
    expect(problemText(document)).not.toContain('failed_login_rate_limit');
  });
});
