import { language } from '#catalogue';

export { language };

/** The texts in the page's language: the UI is built once per language. */
export { catalogue as text } from '#catalogue';

/** The locale for dates and numbers: the browser's own variant of the page's language. */
export const locale = navigator.languages.find((name) => name.split('-')[0] === language) ?? language;
