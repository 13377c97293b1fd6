import { isPlainObject } from '../policy/json.ts';
import { parseConfigurationDocument } from './document.ts';
import type { Problem } from './problem.ts';

/** Sections that restrict access: without one of them, more is open. */
const restricting = ['auth', 'proxy'] as const;

/**
 * A reload must not open what the running configuration closed because its file was lost: one that is missing, empty or cut
 * off, or that lacks a restricting section.
 * @param running text that the running configuration was made of; `undefined` if there was no file
 * @param found text that would replace it, valid by itself; `undefined` if there is no file now
 * @returns undefined when nothing is lost
 */
export function lossOf(running: string | undefined, found: string | undefined): Problem | undefined {
  if (running === undefined) return undefined;
  const path = 'config.yml';
  if (found === undefined)
    return { path, found: 'no file', allowed: 'the file that was there; to run without one, restart' };
  const before = sectionsOf(running);
  const after = sectionsOf(found);
  if (after === undefined && before !== undefined)
    return { path, found: 'an empty file', allowed: 'its keys, or {} on purpose' };
  for (const section of restricting)
    if (hasContent(before?.[section]) && isAbsent(after?.[section]))
      return {
        path: section,
        found: 'no such section, which the running configuration has',
        allowed: `the section, or "${section}: {}" where it is empty on purpose`,
      };
  const cut = found.trimEnd();
  if (cut !== '' && cut.length < running.trimEnd().length && running.startsWith(cut)) {
    const lost = firstLost(before, after);
    if (lost !== undefined)
      return {
        path: lost,
        found: 'no such key, in a file that ends before it',
        allowed: 'the whole file; without the key on purpose, restart, or leave another line after it',
      };
    if (!/[\r\n]/.test(running.charAt(cut.length)) && !/\s$/.test(found))
      return { path, found: 'a file that ends within a line of the running one', allowed: 'the whole file' };
  }
  return undefined;
}

type Sections = Readonly<Record<string, unknown>>;

/** @returns undefined when the text has no keys at all */
function sectionsOf(text: string): Sections | undefined {
  const { document, isEmpty } = parseConfigurationDocument(text, 'config.yml');
  return isEmpty || !isPlainObject(document) ? undefined : document;
}

/** Finds a restriction that a file can lose with its end while it stays valid: a whole list or map, or the proxy's secret. */
function firstLost(before: Sections | undefined, after: Sections | undefined): string | undefined {
  for (const section of [...restricting, 'access']) {
    const [had, has] = [before?.[section], after?.[section]];
    if (hasContent(had) && isAbsent(has)) return section;
    if (!isPlainObject(had)) continue;
    for (const [key, value] of Object.entries(had))
      if ((hasContent(value) || key === 'auth_secret') && isAbsent(isPlainObject(has) ? has[key] : undefined))
        return `${section}.${key}`;
  }
  return undefined;
}

/** A key without a value is what a file that was cut off there has. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isPlainObject(value) && Object.keys(value).length > 0;
}
