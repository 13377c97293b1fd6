import { readJson } from './json.ts';

/**
 * Reads JSON that every program reads alike: UTF-8 without a byte order mark, and no name twice in an object, of which some
 * programs take the first and some the last (RFC 8259, 4 and 8.1).
 * @returns undefined for anything else
 */
export function readUnambiguousJson(bytes: Uint8Array): unknown {
  let text;
  try {
    text = utf8.decode(bytes);
  } catch {
    return undefined;
  }
  const value = readJson(text);
  return value !== undefined && namesIn(text) === namesOf(value) ? value : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** In JSON, a text followed by a colon is a name. @returns how many the text has */
function namesIn(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"([ \t\n\r]*:)?/g))
    if (colon !== undefined) count += 1;
  return count;
}

/** @returns how many names the parsed value has */
function namesOf(value: unknown): number {
  let count = 0;
  // No recursion: input from clients may be nested as deep as it is long.
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) count += Object.keys(next).length;
    for (const child of Object.values(next))
      if (typeof child === 'object' && child !== null) waiting.push(child);
  }
  return count;
}
