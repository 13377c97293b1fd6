import { languages } from '../language/language.ts';

/** The language that the page was sent in. Tests of these modules have no page. */
const sent = typeof document === 'undefined' ? undefined : document.documentElement.lang;
export const language = languages.find((name) => name === sent) ?? languages[0];

/** The locale for dates and numbers: the browser's own variant of the page's language. */
export const locale = navigator.languages.find((name) => name.split('-')[0] === language) ?? language;
