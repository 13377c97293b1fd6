import { expect, test } from 'vitest';
import { displayCookie, displayOf } from '../../../src/language/display.ts';

test.each<[cookie: string | undefined, language: string | undefined, look: string | undefined]>([
  ['postern_display=de.dark', 'de', 'dark'],
  ['a=b; postern_display=en.light; c=d', 'en', 'light'],
  ['a=b;postern_display=auto.dark', undefined, 'dark'],
  ['postern_display=de.auto', 'de', undefined],
  ['postern_display=auto.auto', undefined, undefined],
  // The one of the longer path comes first (RFC 6265, 5.4).
  ['postern_display=de.dark; postern_display=en.light', 'de', 'dark'],
  ['postern_display=nonsense; postern_display=en.light', 'en', 'light'],
  [undefined, undefined, undefined],
  ['', undefined, undefined],
  ['postern_display=fr.dark', undefined, undefined],
  ['postern_display=de.pink', undefined, undefined],
  ['postern_display=de', undefined, undefined],
  ['postern_display=de.dark.x', undefined, undefined],
  ['postern_display=de.dark=x', undefined, undefined],
  ['postern_display="de.dark"', undefined, undefined],
  ['postern_display=de.dark"><script>', undefined, undefined],
  ['postern_display=DE.DARK', undefined, undefined],
  ['postern_display=undefined.undefined', undefined, undefined],
  ['x_postern_display=de.dark', undefined, undefined],
  ['postern_display=__proto__.constructor', undefined, undefined],
])('the cookie %j: language %j, look %j', (cookie, language, look) => {
  expect(displayOf(cookie)).toEqual({ language, look });
});

test('a choice comes back as it was made, and is kept for a year', () => {
  const chosen = { language: 'de', look: undefined } as const;
  const cookie = displayCookie(chosen, '/cameras', true);
  expect(cookie).toBe('postern_display=de.auto; Path=/cameras; Max-Age=31536000; SameSite=Lax; Secure');
  expect(displayOf(cookie)).toEqual(chosen);
  expect(displayCookie({ language: undefined, look: 'dark' }, '/', false)).toBe(
    'postern_display=auto.dark; Path=/; Max-Age=31536000; SameSite=Lax',
  );
});
