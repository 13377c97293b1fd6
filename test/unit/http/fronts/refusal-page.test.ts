import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { houseOf } from '../../../../src/access/settings/house.ts';
import { AppError, type ErrorCode } from '../../../../src/errors.ts';
import { errorResponse, type Known } from '../../../../src/http/fronts/refusal.ts';
import { askingScript } from '../../../../src/http/fronts/page-look.ts';
import { refusalPage, type Reader, type RefusalPage } from '../../../../src/http/fronts/refusal-page.ts';
import { fill, nameText } from '../../../../src/language/fill.ts';
import { languages } from '../../../../src/language/language.ts';
import { texts } from '../../../../src/language/texts.ts';
import type { Identity } from '../../../../src/policy/identity.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const stranger: Reader = {
  zone: 'Europe/Berlin',
  language: 'en',
  look: undefined,
  contact: undefined,
  house: { name: 'Postern', hasPicture: false, isOwn: false, style: undefined },
  prefix: '',
  loginUrl: '/login',
  logoutUrl: undefined,
  namesOf: () => [],
  mayAsk: true,
  navigatedTo: '/a?b=c',
};
const olaf = (source: Identity['source']) => ({ user: 'olaf', role: 'viewer', source });

const named: Reader['namesOf'] = (grant) => (grant === 'all' ? [] : [...grant].map(nameText));

const screen = {
  user: 'display:1f0c',
  role: 'viewer',
  source: 'display',
  token: { id: '1f0c', cameras: undefined, name: 'Kitchen & hall' },
} as const;

/** The content of a page, line by line; a link is `text -> target`. */
function seen(page: string): string[] {
  return (page.match(/<h1>[^]*<\/main>/)?.[0] ?? '')
    .replaceAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '\n$2 -> $1\n')
    .replaceAll(/<form [^>]*action="([^"]*)">/g, '\nform -> $1\n')
    .replaceAll(/<button[^>]*formaction="([^"]*)">([^<]*)<\/button>/g, '\n$2 => $1\n')
    .replaceAll(/<button[^>]*>([^<]*)<\/button>/g, '\n[$1]\n')
    .replaceAll(/<\/(?:p|h1|div|summary)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('Kitchen &amp; hall', 'Kitchen & hall')
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
      'This isn’t shared with you',
      'You don’t have access to this page.',
      'Go to Home -> /postern/',
      'Details',
      'You’re signed in as olaf.',
      'form -> /logout',
      'Sign in as someone else => /logout?next=%2Fa%3Fb%3Dc',
      '[Sign out]',
      'Code for your administrator: d-1',
      '[Copy]',
    ],
  ],
  [
    'refused a camera, which the reader may ask for',
    { status: 403, code: 'forbidden', decision: 'd-1', identity: olaf('session'), camera: 'front_door' },
    { navigatedTo: undefined },
    [
      'You don’t have access to Front door',
      'If you need it, ask for access.',
      'Ask for access -> /postern/ask?camera=front_door',
      'Go to Home -> /postern/',
      'Details',
      'You’re signed in as olaf.',
      'form -> /logout',
      '[Sign out]',
      'Code for your administrator: d-1',
      '[Copy]',
    ],
  ],
  [
    'refused a camera, by an admin who invited the reader: one name, and no contact beside it',
    {
      status: 403,
      code: 'forbidden',
      identity: { ...olaf('session'), invitedBy: 'an<n>a' },
      camera: 'front_door',
      granted: new Set(['garage']),
    },
    { navigatedTo: undefined, namesOf: named, contact: 'Olaf, 0171 2345' },
    [
      'You don’t have access to Front door',
      'You can see Garage. If you need Front door too, ask an&lt;n&gt;a.',
      'Ask an&lt;n&gt;a -> /postern/ask?camera=front_door',
      'Go to Home -> /postern/',
      'Details',
      'You’re signed in as olaf.',
      'form -> /logout',
      '[Sign out]',
    ],
  ],
  [
    'refused a camera, by an admin who invited the reader, where no one may ask by a button',
    {
      status: 403,
      code: 'forbidden',
      identity: { ...olaf('session'), invitedBy: 'anna' },
      camera: 'front_door',
      granted: new Set(['garage']),
    },
    { navigatedTo: undefined, namesOf: named, mayAsk: false, contact: 'Olaf, 0171 2345', language: 'de' },
    [
      'Sie haben keinen Zugriff auf Front door',
      'Sie können Garage sehen.',
      'Zur Startseite -> /postern/',
      'Brauchen Sie Hilfe? Fragen Sie anna',
      'Einzelheiten',
      'Sie sind angemeldet als olaf.',
      'form -> /logout',
      '[Abmelden]',
    ],
  ],
  [
    'the recorder unavailable, for someone who was invited: the contact knows more',
    { status: 502, code: 'upstream_unavailable', identity: { ...olaf('session'), invitedBy: 'anna' } },
    { contact: 'Olaf, 0171 2345' },
    [
      'The recorder doesn’t answer',
      'Postern is running, but the recorder isn’t answering. It may be starting, or switched off. This page opens by itself once there’s an answer.',
      'Try again ->',
      'Go to Home -> /postern/',
      'Need help? Ask Olaf, 0171 2345',
      'Details',
      'You’re signed in as olaf.',
    ],
  ],
  ...(
    [
      ['one', 'en', ['garage'], 'You can see Garage. If you need Front door too, ask for access.'],
      [
        'a few',
        'en',
        ['garage', 'Back & yard', '<b>', '{camera}'],
        'You can see Garage, Back &amp; yard, &lt;b&gt; and {camera}. If you need Front door too, ask for access.',
      ],
      [
        'many',
        'de',
        ['garage', 'shed', 'lane', 'roof', 'attic'],
        'Sie können Garage, Shed, Lane und 2 weitere sehen. Wenn Sie auch Front door brauchen, bitten Sie um Zugriff.',
      ],
      ['none that is left', 'en', [], 'If you need it, ask for access.'],
    ] as const
  ).map(
    ([many, language, cameras, says]) =>
      [
        `refused a camera, with ${many} to see`,
        { status: 403, code: 'forbidden', camera: 'front_door', granted: new Set(cameras) },
        { language, namesOf: named },
        [
          fill(texts[language].refusals.noCamera, { camera: 'Front door' }),
          says,
          `${texts[language].refusals.askFor} -> /postern/ask?camera=front_door`,
          `${texts[language].refusals.home} -> /postern/`,
        ],
      ] satisfies [string, RefusalPage, Partial<Reader>, string[]],
  ),
  [
    'refused a camera, with one to see, where no one may ask',
    { status: 403, code: 'forbidden', camera: 'garage', granted: new Set(['shed']) },
    { mayAsk: false, namesOf: named },
    ['You don’t have access to Garage', 'You can see Shed.', 'Go to Home -> /postern/'],
  ],
  [
    'refused something that the reader did not name',
    { status: 403, code: 'forbidden', granted: new Set(['shed']) },
    { namesOf: named },
    ['This isn’t shared with you', 'You don’t have access to this page.', 'Go to Home -> /postern/'],
  ],
  [
    'refused a camera, where no one may ask',
    { status: 403, code: 'forbidden', camera: 'garage' },
    { mayAsk: false },
    ['You don’t have access to Garage', 'Go to Home -> /postern/'],
  ],
  [
    'refused below a prefix, with a recorder, not by GET',
    { status: 403, code: 'forbidden', identity: olaf('session') },
    { prefix: '/cameras', navigatedTo: undefined },
    [
      'This isn’t shared with you',
      'You don’t have access to this page.',
      'Go to Home -> /cameras/postern/',
      'Details',
      'You’re signed in as olaf.',
      'form -> /cameras/logout',
      '[Sign out]',
    ],
  ],
  [
    'refused to a user of a proxy with a logout URL',
    { status: 403, code: 'forbidden', identity: olaf('proxy') },
    { loginUrl: undefined, logoutUrl: 'https://idp.test/out?a=1&b=2' },
    [
      'This isn’t shared with you',
      'You don’t have access to this page.',
      'Go to Home -> /postern/',
      'Details',
      'You’re signed in as olaf.',
      'Sign out -> https://idp.test/out?a=1&amp;b=2',
    ],
  ],
  [
    'refused to a screen',
    { status: 403, code: 'forbidden', decision: 'd-1', identity: screen },
    { prefix: '/cameras', loginUrl: '/cameras/login' },
    [
      'This screen only shows cameras',
      'To open anything else here, sign in with your account.',
      'Show the cameras -> /cameras/postern/wall',
      'Sign in -> /cameras/login?next=%2Fa%3Fb%3Dc',
      'Details',
      'This is the screen Kitchen & hall.',
      'Code for your administrator: d-1',
      '[Copy]',
    ],
  ],
  [
    'closed to a screen for now',
    { status: 403, code: 'stopped', identity: screen },
    {},
    [
      'Stopped for now',
      'An admin has stopped this for a while. There’s no need to sign in again.',
      'Try again ->',
      'Show the cameras -> /postern/wall',
      'Details',
      'This is the screen Kitchen & hall.',
    ],
  ],
  [
    'no identity, with a login',
    { status: 401, code: 'unauthenticated', decision: 'd-1' },
    { contact: 'Olaf, 0171 2345' },
    [
      'Sign in first',
      'Only people who are signed in can see this.',
      'Sign in -> /login?next=%2Fa%3Fb%3Dc',
      'Go to Home -> /postern/',
      'Need help? Ask Olaf, 0171 2345',
      'Details',
      'Code for your administrator: d-1',
      '[Copy]',
    ],
  ],
  [
    'no identity, behind a proxy that logs in',
    { status: 401, code: 'unauthenticated' },
    { loginUrl: undefined, contact: 'mailto:olaf@home.example?subject=Cameras' },
    [
      'Sign in first',
      'Only people who are signed in can see this. The proxy in front of this site signs you in.',
      'Go to Home -> /postern/',
      'Need help? Ask',
      'olaf@home.example -> mailto:olaf@home.example?subject=Cameras',
    ],
  ],
  [
    'too often',
    { status: 429, code: 'too_many_requests', retryAfterSeconds: 30 },
    { navigatedTo: undefined, contact: 'https://home.example/help' },
    [
      'Too many tries',
      'Wait a moment before you try again.',
      'Try again in 30 seconds.',
      'Go to Home -> /postern/',
      'Need help? Ask',
      'home.example/help -> https://home.example/help',
    ],
  ],
  [
    'the recorder unavailable, in German, on the internal entry point',
    { status: 502, code: 'upstream_unavailable', identity: olaf('internal') },
    { language: 'de' },
    [
      'Der Rekorder antwortet nicht',
      'Postern läuft, aber der Rekorder antwortet nicht. Vielleicht startet er gerade oder ist ausgeschaltet. Diese Seite öffnet sich von selbst, sobald es eine Antwort gibt.',
      'Noch einmal versuchen ->',
      'Zur Startseite -> /postern/',
      'Einzelheiten',
      'Alle, die diesen internen Zugang erreichen, sind Admins.',
    ],
  ],
])('%s', (_, page, reader, lines) => {
  expect(seen(refusalPage(page, { ...stranger, ...reader }))).toEqual(lines);
});

test('no page has more than two buttons before its details', () => {
  const codes = [...Object.keys(texts.en.refusals.texts), 'user_exists'] as ErrorCode[];
  for (const code of codes)
    for (const status of [401, 403, 404, 429, 500, 502, 503])
      for (const identity of [undefined, olaf('session'), olaf('proxy'), olaf('internal'), screen])
        for (const camera of [undefined, 'garage']) {
          const page = refusalPage({ status, code, identity, camera }, { ...stranger, logoutUrl: '/out' });
          const [shown = ''] = (page.split('<main')[1] ?? '').split('<details');
          const buttons = shown.match(/<(?:a|button)\b/g)?.length ?? 0;
          expect({ status, code, identity, buttons: buttons <= 2 }).toMatchObject({ buttons: true });
        }
});

test.each<[what: string, page: RefusalPage, reader: Partial<Reader>, marks: RegExp]>([
  ['opens later', { status: 403, code: 'stopped', opening: { opens: 1 } }, {}, / data-opens-in="1000">/],
  ['waits for the recorder', { status: 502, code: 'upstream_unavailable' }, {}, / data-waits>/],
  ['answers a form', { status: 502, code: 'upstream_unavailable' }, { navigatedTo: undefined }, /woff2">/],
  ['stays', { status: 403, code: 'forbidden' }, {}, /woff2">/],
  [
    'below a prefix',
    { status: 403, code: 'forbidden' },
    { prefix: '/c' },
    / data-font="\/c\/postern\/assets\/figtree.woff2">/,
  ],
])('a page that %s says so to its script', (_, page, reader, marks) => {
  const [main] = /<main[^>]*>/.exec(refusalPage(page, { ...stranger, ...reader })) ?? [];
  expect(main).toMatch(marks);
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
    'en That request doesn’t work · Postern',
    'en There’s nothing here · Postern',
    'en That’s too large · Postern',
    'en Something went wrong · Postern',
    'en The recorder is busy · Postern',
    'en Not available right now · Postern',
    'en That didn’t work · Postern',
    'de Diese Anfrage geht nicht · Postern',
    'de Hier ist nichts · Postern',
    'de Das ist zu groß · Postern',
    'de Etwas ist schiefgegangen · Postern',
    'de Der Rekorder ist ausgelastet · Postern',
    'de Gerade nicht verfügbar · Postern',
    'de Das hat nicht geklappt · Postern',
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
      `default-src 'none'; base-uri 'none'; font-src 'self'; style-src ${hashes[0]}; script-src ${hashes[1]}; form-action 'self'; img-src data:; frame-ancestors 'none'`,
    );
    expect(body).not.toMatch(/ style=| on\w+=/);
  });

  test('allows the style and the picture of the house, and nothing else', () => {
    const house = houseOf({ name: 'Willow Lane', logo: 'house.png', accent: '#0b5cad' });
    const { headers, body } = errorResponse(new AppError('forbidden'), {
      ...stranger,
      prefix: '/cams',
      house,
    });
    const styles = [...body.matchAll(/<style>([^]*?)<\/style>/g)].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
    expect(styles).toHaveLength(2);
    expect(headers['content-security-policy']).toContain(`style-src ${styles.join(' ')};`);
    expect(headers['content-security-policy']).toContain("img-src 'self' data:;");
    expect(body).toContain('<img src="/cams/postern/picture" alt="">');
    expect(body).toContain('Willow Lane</p>');
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
  expect(Buffer.byteLength(body)).toBeLessThan(8_000);
});

test('has the header of the app for who is signed in, and only the account while it is closed', () => {
  const headerOf = (code: ErrorCode, source: Identity['source']) =>
    refusalPage({ status: 403, code, identity: olaf(source) }, stranger).split('<main')[0];
  expect(headerOf('forbidden', 'session')).toMatch(
    /<header><a class="house" href="\/postern\/">.*Postern<\/a>.*>Home<\/a>.*\/postern\/account" dir="auto">olaf</,
  );
  const closed = headerOf('outside_schedule', 'session');
  expect(closed).toContain('/postern/account');
  expect(closed).not.toContain('href="/postern/"');
  expect(headerOf('forbidden', 'share')).not.toContain('<header');
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
  const pageOf = (
    user: string,
    role: string,
    contact: string,
    navigatedTo: string,
    prefix = '',
    name = 'Willow Lane',
  ) =>
    refusalPage(
      { status: 403, code: 'forbidden', decision: 'd-1', identity: { user, role, source: 'session' } },
      {
        ...stranger,
        contact,
        navigatedTo,
        prefix,
        house: { ...stranger.house, name },
      },
    );

  test('escapes the name of the house', () => {
    assertCases(
      fc.property(nasty, (name) => {
        const page = pageOf('u', 'r', 'c', '/', '', name);
        expect(page).toBe(pageOf('u', 'r', 'c', '/', '', place).replaceAll(place, () => escaped(name)));
      }),
    );
  });

  test('escapes user, role, contact, target and prefix', () => {
    assertCases(
      fc.property(nasty, nasty, nasty, nasty, nasty, (user, role, text, target, prefix) => {
        const page = pageOf(user, role, ` ${text}`, target, prefix);
        const expected = pageOf(`${place}u`, `${place}r`, ` ${place}c`, `${place}t`, `${place}p`)
          .replaceAll(`${place}p`, () => escaped(prefix))
          .replaceAll(`${place}u`, () => escaped(user))
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

describe('the button that asks for a camera', () => {
  /** Text of the button once the script has found the user’s earlier request. */
  const wordsAfter = async (requests: Response) => {
    const a = {
      dataset: { requests: '/r', camera: 'garage', asked: 'anna has it' },
      textContent: 'Ask anna',
    };
    await runInNewContext(askingScript, {
      document: { querySelector: () => a },
      fetch: async () => requests,
    });
    return a.textContent;
  };

  test.each([
    ['was asked for', 200, [{ camera: 'garage' }], 'anna has it'],
    ['was not asked for', 200, [{ camera: 'driveway' }], 'Ask anna'],
    ['is unknown, because the session has ended', 401, { code: 'unauthenticated' }, 'Ask anna'],
  ])('when the camera %s', async (_, status, requests, words) => {
    expect(await wordsAfter(Response.json(requests, { status }))).toBe(words);
  });
});
