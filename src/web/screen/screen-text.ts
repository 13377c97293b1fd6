import type { Texts } from '../../language/texts.ts';

/** The texts in the screen's language, which come with its page. */
export const text = JSON.parse(document.body.dataset['texts'] ?? '') as Pick<Texts, 'pairScreen' | 'wall'>;
