import type { ComponentChildren } from 'preact';
import { locale } from './text.ts';

/** What stands between backticks is code. */
export function withCode(words: string): ComponentChildren {
  return words.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}

export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(locale).format(items);
}
