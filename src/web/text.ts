import { language } from '#catalogue';

export { language };

/** The texts of the page's language: the UI is built once in each. */
export { catalogue as text } from '#catalogue';

/** What dates and numbers are written by: the browser's own variant of the page's language. */
export const locale = navigator.languages.find((name) => name.split('-')[0] === language) ?? language;
