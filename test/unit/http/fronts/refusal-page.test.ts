import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../../src/errors.ts';
import { errorResponse, type Known } from '../../../../src/http/fronts/refusal.ts';
import { refusalPage, type Reader, type RefusalPage } from '../../../../src/http/fronts/refusal-page.ts';
import { languages } from '../../../../src/language/language.ts';
import type { Identity } from '../../../../src/policy/identity.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const stranger: Reader = {
  language: 'en',
  look: undefined,
  contact: undefined,
  prefix: '',
  hasStartPage: false,
  loginUrl: '/login',
  logoutUrl: undefined,
  navigatedTo: '/a?b=c',
};
const olaf = (source: Identity['source']) => ({ user: 'olaf', role: 'viewer', source });

/** The content of a page, line by line; a link is `text -> target`. */
function seen(page: string): string[] {
  return (page.match(/<main>[^]*<\/main>/)?.[0] ?? '')
    .replaceAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '\n$2 -> $1\n')
    .replaceAll(/<form [^>]*action="([^"]*)">/g, '\nform -> $1\n')
    .replaceAll(/<button[^>]*formaction="([^"]*)">([^<]*)<\/button>/g, '\n$2 => $1\n')
    .replaceAll(/<button[^>]*>([^<]*)<\/button>/g, '\n[$1]\n')
    .replaceAll(/<\/(?:p|h1|div)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .split(/\n/)
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter((line) => line !== '');
}

test.each<[what: string, page: RefusalPage, reader: Partial<Reader>, lines: string[]]>([
  [
    'refused, with a session',
    { status: 403, code: 'forbidden', decision: 'd-1', identity: olaf('session') },
    {},
    [
      'Access denied',
      'You are not allowed to open this page, or to do what you asked for.',
      'You are logged in as olaf, role viewer.',
      'Home of Postern -> /postern/',
      'form -> /logout',
      'Log in as somebody else => /logout?next=%2Fa%3Fb%3Dc',
      '[Log out]',
      'Decision d-1',
      '[Copy]',
      'By this id, an administrator finds the reason.',
      'Error 403 · Postern',
    ],
  ],
  [
    'refused below a prefix, with a recorder, not by GET',
    { status: 403, code: 'forbidden', identity: olaf('session') },
    { prefix: '/cameras', hasStartPage: true, navigatedTo: undefined },
    [
      'Access denied',
      'You are not allowed to open this page, or to do what you asked for.',
      'You are logged in as olaf, role viewer.',
      'Home of Postern -> /cameras/postern/',
      'Start page -> /cameras/',
      'form -> /cameras/logout',
      '[Log out]',
      'Error 403 · Postern',
    ],
  ],
  [
    'refused to a user of a proxy with a logout URL',
    { status: 403, code: 'forbidden', identity: olaf('proxy') },
    { loginUrl: undefined, logoutUrl: 'https://idp.test/out?a=1&b=2' },
    [
      'Access denied',
      'You are not allowed to open this page, or to do what you asked for.',
      'You are logged in as olaf, role viewer.',
      'Home of Postern -> /postern/',
      'Log out -> https://idp.test/out?a=1&amp;b=2',
      'Error 403 · Postern',
    ],
  ],
  [
    'no identity, with a login',
    { status: 401, code: 'unauthenticated', decision: 'd-1' },
    { contact: 'Olaf, 0171 2345' },
    [
      'Authentication required',
      'Only people who are logged in may see this.',
      'Whom to ask: Olaf, 0171 2345',
      'Log in -> /login?next=%2Fa%3Fb%3Dc',
      'Home of Postern -> /postern/',
      'Decision d-1',
      '[Copy]',
      'By this id, an administrator finds the reason.',
      'Error 401 · Postern',
    ],
  ],
  [
    'no identity, behind a proxy that logs in',
    { status: 401, code: 'unauthenticated' },
    { loginUrl: undefined, contact: 'mailto:olaf@home.example?subject=Cameras' },
    [
      'Authentication required',
      'Only people who are logged in may see this. The proxy in front of this site logs users in.',
      'Whom to ask:',
      'olaf@home.example -> mailto:olaf@home.example?subject=Cameras',
      'Home of Postern -> /postern/',
      'Error 401 · Postern',
    ],
  ],
  [
    'too often',
    { status: 429, code: 'too_many_requests', retryAfterSeconds: 30 },
    { navigatedTo: undefined, contact: 'https://home.example/help' },
    [
      'Too many attempts',
      'There were too many attempts in a short time.',
      'Try again in 30 seconds.',
      'Whom to ask:',
      'home.example/help -> https://home.example/help',
      'Home of Postern -> /postern/',
      'Error 429 · Postern',
    ],
  ],
  [
    'the recorder unavailable, in German, on the internal entry point',
    { status: 502, code: 'upstream_unavailable', identity: olaf('internal') },
    { language: 'de' },
    [
      'Der Rekorder antwortet nicht',
      'Postern läuft, aber der Rekorder dahinter antwortet nicht. Vielleicht startet er gerade oder ist ausgeschaltet.',
      'Wer diesen internen Zugang erreicht, ist Admin.',
      'Noch einmal versuchen ->',
      'Start von Postern -> /postern/',
      'Fehler 502 · Postern',
    ],
  ],
])('%s', (_, page, reader, lines) => {
  expect(seen(refusalPage(page, { ...stranger, ...reader }))).toEqual(lines);
});

test('every error has a page, in each language', () => {
  const statuses: Partial<Record<ErrorCode, number>> = {
    bad_request: 400,
    not_found: 404,
    payload_too_large: 413,
    internal: 500,
    upstream_busy: 503,
    store_unavailable: 503,
    user_exists: 409,
  };
  const titles = languages.flatMap((language) =>
    Object.keys(statuses).map((code) => {
      const { status, body } = errorResponse(new AppError(code as ErrorCode), { ...stranger, language });
      expect(status).toBe(statuses[code as ErrorCode]);
      return `${language} ${/<title>(.*)<\/title>/.exec(body)?.[1]}`;
    }),
  );
  expect(titles).toEqual([
    'en 400 Bad request',
    'en 404 Not found',
    'en 413 The body is too large',
    'en 500 Internal error',
    'en 503 The recorder is busy',
    'en 503 Not available at the moment',
    'en 409 That did not work',
    'de 400 Ungültige Anfrage',
    'de 404 Nicht gefunden',
    'de 413 Zu groß',
    'de 500 Interner Fehler',
    'de 503 Der Rekorder ist ausgelastet',
    'de 503 Im Moment nicht verfügbar',
    'de 409 Das hat nicht geklappt',
  ]);
});

describe('the policy of a page', () => {
  const { headers, body } = errorResponse(new AppError('forbidden'), stranger);
  const policy = headers['content-security-policy'] ?? '';

  test('allows only the page’s own style and script, by their hashes', () => {
    const hashes = [...body.matchAll(/<(?:style|script)>([^]*?)<\/(?:style|script)>/g)].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
    expect(policy).toBe(
      `default-src 'none'; base-uri 'none'; style-src ${hashes[0]}; script-src ${hashes[1]}; form-action 'self'; img-src data:; frame-ancestors 'none'`,
    );
    expect(body).not.toMatch(/ style=| on\w+=/);
  });

  test('allows the logout form to redirect to logout_url', () => {
    const { headers } = errorResponse(new AppError('forbidden'), {
      ...stranger,
      logoutUrl: 'https://idp.test/out',
    });
    expect(headers['content-security-policy']).toContain("form-action 'self' https://idp.test;");
  });
});

test('a page is small, since fronts limit what they pass on', () => {
  const known: Known = { identity: olaf('session'), decision: 'd-1' };
  const { body } = errorResponse(new AppError('forbidden'), { ...stranger, language: 'de' }, known);
  expect(Buffer.byteLength(body)).toBeLessThan(6_000);
});

describe('any name is plain text on the page', () => {
  const escaped = (text: string) =>
    text.replaceAll(
      /[&<>"']/g,
      (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c] ?? c,
    );
  const nasty = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          '<',
          '>',
          '"',
          "'",
          '&',
          '=',
          '`',
          '</p>',
          '<script>',
          '-->',
          ']]>',
          '${x}',
          '\u202e',
          'é',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join('')),
  );
  const place = '\u0001';
  const pageOf = (user: string, role: string, contact: string, navigatedTo: string, prefix = '') =>
    refusalPage(
      { status: 403, code: 'forbidden', decision: 'd-1', identity: { user, role, source: 'session' } },
      { ...stranger, contact, navigatedTo, prefix, hasStartPage: true },
    );

  test('escapes user, role, contact, target and prefix', () => {
    assertCases(
      fc.property(nasty, nasty, nasty, nasty, nasty, (user, role, text, target, prefix) => {
        const page = pageOf(user, role, ` ${text}`, target, prefix);
        const expected = pageOf(`${place}u`, `${place}r`, ` ${place}c`, `${place}t`, `${place}p`)
          .replaceAll(`${place}p`, () => escaped(prefix))
          .replace(`${place}u`, () => escaped(user))
          .replace(`${place}r`, () => escaped(role))
          .replace(`${place}c`, () => escaped(text))
          .replace(encodeURIComponent(`${place}t`), () => escaped(encodeURIComponent(target)));
        expect(page).toBe(expected);
      }),
    );
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'http://home.example', ' https://x', 'vbscript:x'])(
    'the contact %j is not a link',
    (contact) => {
      expect(pageOf('u', 'r', contact, '/')).toContain(`<bdi>${contact}</bdi>`);
    },
  );
});
