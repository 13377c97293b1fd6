import { speak } from './text.ts';

/** Loads the catalogue of the page's language, a file of its own. */
export async function loadText(): Promise<void> {
  if (document.documentElement.lang === 'de') speak('de', (await import('../language/de/index.ts')).de);
  else speak('en', (await import('../language/en/index.ts')).en);
}
