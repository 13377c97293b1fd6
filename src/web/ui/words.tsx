import type { ComponentChildren } from 'preact';

/** Text between backticks becomes code. */
export function withCode(words: string): ComponentChildren {
  return words.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
