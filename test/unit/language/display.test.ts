import { expect, test } from 'vitest';
import { displayCookie, displayOf } from '../../../src/language/display.ts';

test.each<[cookie: string | undefined, language: string | undefined, look: string | undefined]>([
  ['postern_look=de.dark', 'de', 'dark'],
  ['a=b; postern_look=en.light; c=d', 'en', 'light'],
  ['a=b;postern_look=auto.dark', undefined, 'dark'],
  ['postern_look=de.auto', 'de', undefined],
  ['postern_look=auto.auto', undefined, undefined],
  // The one of the longer path comes first (RFC 6265, 5.4).
  ['postern_look=de.dark; postern_look=en.light', 'de', 'dark'],
  ['postern_look=nonsense; postern_look=en.light', 'en', 'light'],
  [undefined, undefined, undefined],
  ['', undefined, undefined],
  ['postern_look=fr.dark', undefined, undefined],
  ['postern_look=de.pink', undefined, undefined],
  ['postern_look=de', undefined, undefined],
  ['postern_look=de.dark.x', undefined, undefined],
  ['postern_look=de.dark=x', undefined, undefined],
  ['postern_look="de.dark"', undefined, undefined],
  ['postern_look=de.dark"><script>', undefined, undefined],
  ['postern_look=DE.DARK', undefined, undefined],
  ['postern_look=undefined.undefined', undefined, undefined],
  ['x_postern_look=de.dark', undefined, undefined],
  ['postern_look=__proto__.constructor', undefined, undefined],
])('the cookie %j: language %j, look %j', (cookie, language, look) => {
  expect(displayOf(cookie)).toEqual({ language, look });
});

test('a choice comes back as it was made, and is kept for a year', () => {
  const chosen = { language: 'de', look: undefined } as const;
  const cookie = displayCookie(chosen, '/cameras', true);
  expect(cookie).toBe('postern_look=de.auto; Path=/cameras; Max-Age=31536000; SameSite=Lax; Secure');
  expect(displayOf(cookie)).toEqual(chosen);
  expect(displayCookie({ language: undefined, look: 'dark' }, '/', false)).toBe(
    'postern_look=auto.dark; Path=/; Max-Age=31536000; SameSite=Lax',
  );
});
