/** @returns undefined if the text is not JSON (RFC 8259) */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is a JSON object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a list of texts. */
export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/**
 * Reads JSON that every program reads alike: UTF-8 without a byte order mark, and no name twice in an object, of which some
 * programs take the first and some the last (RFC 8259, 4 and 8.1).
 * @returns undefined for anything else
 */
export function readUnambiguousJson(bytes: Uint8Array): unknown {
  const text = readUtf8(bytes);
  return text === undefined ? undefined : readUnambiguousText(text);
}

/** The same for what has been decoded already. */
export function readUnambiguousText(text: string): unknown {
  const value = readJson(text);
  return value !== undefined && haveSameNames(text, value) ? value : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns undefined for bytes that are not UTF-8. A byte order mark stays. */
export function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a parsed value has all the names of its text. */
function haveSameNames(text: string, value: unknown): boolean {
  const [written, read] = [namesIn(text), namesOf(value)];
  if (written.length !== read.length) return false;
  // After one object with the name `\`, JSON.parse of V8 14.6 reads `"\u002e"` as that name: it compares names as they are written.
  if (!written.some((name) => name.includes('\\'))) return true;
  const meant = written.map((name) => JSON.parse(name) as string).toSorted();
  const sorted = read.toSorted();
  return meant.every((name, index) => name === sorted[index]);
}

/** In JSON, a text followed by a colon is a name. @returns them as they are written, in their quotes */
function namesIn(text: string): readonly string[] {
  const names: string[] = [];
  for (const [, name = '', colon] of text.matchAll(/("(?:[^"\\]|\\.)*")([ \t\n\r]*:)?/g))
    if (colon !== undefined) names.push(name);
  return names;
}

/** @returns the names of the parsed value, of each object */
function namesOf(value: unknown): readonly string[] {
  const names: string[] = [];
  // No recursion: input from clients may be nested as deep as it is long.
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) for (const name of Object.keys(next)) names.push(name);
    for (const child of Object.values(next))
      if (typeof child === 'object' && child !== null) waiting.push(child);
  }
  return names;
}
