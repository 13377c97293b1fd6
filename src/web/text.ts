import type { Catalogue } from '../language/en/index.ts';
import type { Language } from '../language/language.ts';

/** The texts of the page's language. Set before anything is rendered: read it in functions, never at the top of a module. */
export let text: Catalogue;

/** What dates and numbers are written by: the browser's own variant of the page's language. */
export let locale: string;

export function speak(language: Language, catalogue: Catalogue): void {
  text = catalogue;
  locale = navigator.languages.find((name) => name.split('-')[0] === language) ?? language;
}
