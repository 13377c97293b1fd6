import { ownCookies } from '../policy/own-cookies.ts';
import { languages, type Language } from './language.ts';

export const looks = ['light', 'dark'] as const;

/** How a person chose to see the pages. What is undefined follows the browser and the system. */
export interface Display {
  readonly language: Language | undefined;
  readonly look: (typeof looks)[number] | undefined;
}

const name = ownCookies.look;
const byBrowser = 'auto';

/**
 * Reads the choice, which is the same for the UI and for the pages of refusals.
 * @param cookieHeader value of `Cookie`, or what `document.cookie` holds; whatever is not a choice counts as absent
 */
export function displayOf(cookieHeader: string | undefined): Display {
  for (const pair of (cookieHeader ?? '').split(';')) {
    const [key, value = '', ...rest] = pair.trim().split('=');
    const [language, look, ...more] = value.split('.');
    if (key !== name || rest.length + more.length > 0) continue;
    if (!isChoice(languages, language) || !isChoice(looks, look)) continue;
    return {
      language: languages.find((known) => known === language),
      look: looks.find((known) => known === look),
    };
  }
  return { language: undefined, look: undefined };
}

/**
 * @param path below which the pages are
 * @returns the cookie that keeps a choice for a year, for `document.cookie`
 */
export function displayCookie({ language, look }: Display, path: string, secure: boolean): string {
  const value = `${language ?? byBrowser}.${look ?? byBrowser}`;
  return `${name}=${value}; Path=${path}; Max-Age=31536000; SameSite=Lax${secure ? '; Secure' : ''}`;
}

function isChoice(known: readonly string[], chosen: string | undefined): boolean {
  return chosen === byBrowser || (chosen !== undefined && known.includes(chosen));
}
