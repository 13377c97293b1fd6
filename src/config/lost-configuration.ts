import { isPlainObject } from '../policy/json.ts';
import { isBuiltIn } from '../policy/names.ts';
import { parseConfigurationDocument } from './document.ts';
import { ConfigurationError, type Problem } from './problem.ts';

/** Sections that restrict access: a reload that lacks one of them as a whole is refused. */
const restricting = ['auth', 'proxy'] as const;

/** A start refuses a file that was cut when it lost a value below one of these. */
const deciding = [...restricting, 'access', 'store'] as const;

/** How a file lacks its end. `unfinished`: it ends within a line. */
type Cut = 'missing' | 'empty' | 'unfinished' | 'cut';

/** What a text of config.yml lost: a problem that refuses it, or warnings. */
export interface Loss {
  readonly problem?: Problem;
  readonly warnings: readonly string[];
}

/**
 * Tells whether a file was cut off. White space at the ends doesn't count.
 * @param applied text that Postern applied last
 * @param found text of the file; undefined: there is none
 * @returns undefined when it wasn't
 */
export function cutOf(applied: string, found: string | undefined): Cut | undefined {
  if (hasNoKeys(applied)) return undefined;
  if (found === undefined) return 'missing';
  if (hasNoKeys(found)) return 'empty';
  const [whole, begin] = [linesOf(applied), linesOf(found)];
  if (begin.length >= whole.length || !whole.startsWith(begin)) return undefined;
  return /^[^\S\r\n]*[\r\n]/.test(whole.slice(begin.length)) ? 'cut' : 'unfinished';
}

/** Tells whether a text is one that was applied or accepted: nothing of it was lost. */
export function isAccepted(applied: readonly string[], found: string | undefined): boolean {
  return found !== undefined && applied.some((text) => linesOf(text) === linesOf(found));
}

/** An editor may have changed how lines end: what it then left out is lost all the same. */
function linesOf(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

/**
 * Tells what a file lost that was cut off. A reload refuses every such file, and one that lacks `auth` or `proxy` as a whole. A start
 * refuses one that is missing, empty or ends within a line, or that lost a value that decides access; the rest is a warning.
 * @param applied texts that Postern applied or accepted last; none: nothing is compared
 * @param found text of the file, valid by itself; undefined: there is none
 */
export function lossOf(
  applied: readonly string[],
  found: string | undefined,
  at: 'start' | 'reload',
): Loss | undefined {
  if (isAccepted(applied, found)) return undefined;
  for (const text of applied) {
    const cut = cutOf(text, found);
    const loss = cut === undefined ? undefined : lossByCut(cut, text, found ?? '', at);
    if (loss !== undefined) return loss;
    const problem = at === 'reload' ? missingSection(text, found) : undefined;
    if (problem !== undefined) return { problem, warnings: [] };
  }
  return undefined;
}

const path = 'config.yml';
const orAccept = 'or, where nothing is missing, "postern config accept"';

function lossByCut(cut: Cut, applied: string, found: string, at: 'start' | 'reload'): Loss | undefined {
  const refused = (problem: Problem): Loss => ({ problem, warnings: [] });
  if (cut === 'missing')
    return refused({ path, found: 'no file', allowed: `the file that Postern applied last, ${orAccept}` });
  if (cut === 'empty')
    return refused({
      path,
      found: 'an empty file',
      allowed: `the text that Postern applied last, ${orAccept}`,
    });
  if (cut === 'unfinished')
    return refused({
      path,
      found: 'a file that ends within a line of the text that Postern applied last',
      allowed: `the whole file, ${orAccept}`,
    });
  const before = sectionsOf(applied);
  if (before === undefined) return undefined;
  const gone = goneBelow(before, sectionsOf(found) ?? {}, '');
  const decides = gone.find((lost) => deciding.some((section) => isBelow(lost, section)));
  if (decides !== undefined)
    return refused({
      path: decides,
      found: 'no value, in a file that ends before it',
      allowed: `the whole file, ${orAccept}`,
    });
  const words = `config.yml ends before the end of the text that Postern applied last`;
  const lost = gone.length === 0 ? '' : `, and lacks ${named(gone)}`;
  if (at === 'start') return { warnings: [`${words}${lost}: put the rest back if it was cut off`] };
  return refused({
    path: gone[0] ?? path,
    found: 'no value, in a file that ends before it',
    allowed: `the whole file, ${orAccept}`,
  });
}

function missingSection(applied: string, found: string | undefined): Problem | undefined {
  const [before, after] = [sectionsOf(applied), sectionsOf(found ?? '')];
  const section = restricting.find((name) => hasContent(before?.[name]) && isAbsent(after?.[name]));
  return section === undefined
    ? undefined
    : {
        path: section,
        found: 'no such section, which the running configuration has',
        allowed: `the section, or "${section}: {}" where it is empty on purpose, ${orAccept}`,
      };
}

/** A section of roles that a file lost as a whole. */
interface DroppedRoles {
  readonly path: 'auth.roles' | 'auth.role_access';
  /** Those that are not defined anymore, or lost their limits. */
  readonly roles: readonly string[];
}

/** @param applied @param found as for `lossOf`. @returns the sections of roles that had entries and have none now */
export function droppedRoles(applied: readonly string[], found: string | undefined): readonly DroppedRoles[] {
  if (isAccepted(applied, found)) return [];
  const after = rolesIn(sectionsOf(found ?? ''));
  const before = applied.map((text) => rolesIn(sectionsOf(text)));
  const had = (key: 'roles' | 'role_access') => [...new Set(before.flatMap((one) => one[key]))];
  const dropped: DroppedRoles[] = [];
  // Recorders list their built-in roles among the others.
  const undefinedNow = had('roles').filter((role) => !isBuiltIn(role) && !after.role_access.includes(role));
  if (after.roles.length === 0 && undefinedNow.length > 0)
    dropped.push({ path: 'auth.roles', roles: undefinedNow });
  const limited = had('role_access');
  if (after.role_access.length === 0 && limited.length > 0)
    dropped.push({ path: 'auth.role_access', roles: limited });
  return dropped;
}

function rolesIn(sections: Sections | undefined) {
  const auth = partsOf(sections?.['auth']);
  const namesIn = (key: string) => Object.keys(partsOf(auth?.[key]) ?? {});
  return { roles: namesIn('roles'), role_access: namesIn('role_access') };
}

type Sections = Readonly<Record<string, unknown>>;

/** @returns undefined when the text has no keys at all, or was never valid */
export function sectionsOf(text: string): Sections | undefined {
  try {
    const { document, isEmpty } = parseConfigurationDocument(text, path);
    return isEmpty || !isPlainObject(document) ? undefined : document;
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** Comments at most: `{}` is empty on purpose. */
function hasNoKeys(text: string): boolean {
  return text.split(/\r?\n/).every((line) => /^(?:\s*(?:#.*)?|---|\.\.\.)\s*$/.test(line));
}

/** @returns the paths of values that are gone, in the order of the file: a key without a value is what a cut file has */
function goneBelow(before: unknown, after: unknown, at: string): readonly string[] {
  if (before !== undefined && before !== null && isAbsent(after)) return [at];
  if (before === null && after === undefined) return [at];
  const parts = partsOf(before);
  if (parts === undefined) return [];
  const left = partsOf(after) ?? {};
  return Object.entries(parts).flatMap(([key, value]) =>
    goneBelow(value, left[key], at === '' ? key : `${at}.${key}`),
  );
}

function partsOf(value: unknown): Sections | undefined {
  if (Array.isArray(value)) return { ...value };
  return isPlainObject(value) ? value : undefined;
}

function isBelow(lost: string, section: string): boolean {
  return lost === section || lost.startsWith(`${section}.`);
}

const mostNamed = 5;

function named(paths: readonly string[]): string {
  return `${paths.slice(0, mostNamed).join(', ')}${paths.length > mostNamed ? ', …' : ''}`;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isPlainObject(value) && Object.keys(value).length > 0;
}
