import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { isPlainObject } from '../policy/json.ts';
import { closed, posternHeaders, type FrigateFile } from './frigate-file.ts';
import { contentOf, editSections, valueAt, type Edit } from './section-edits.ts';

/** Sections of Frigate's file that change. */
const sections = ['auth', 'proxy', 'tls'] as const;

/** The keys that make Frigate trust Postern, and no one else. @param secret of Postern, for `X-Proxy-Secret` */
function editsFor({ roles }: FrigateFile, hasRoles: boolean, secret: string): readonly Edit[] {
  const names = [...roles.keys()];
  // Frigate compares names in lower case, unless a map names them.
  const needsMap = hasRoles && names.some((name) => name !== name.toLowerCase());
  const map = ['admin', 'viewer', ...names].map((name) => [name, [name]] as const);
  return [
    { path: ['auth', 'enabled'], value: false },
    ...(hasRoles ? [{ path: ['auth', 'roles', closed.role], value: [...closed.cameras] } as const] : []),
    {
      path: ['proxy', 'header_map'],
      value: { ...posternHeaders, ...(needsMap && { role_map: Object.fromEntries(map) }) },
    },
    { path: ['proxy', 'auth_secret'], value: secret },
    { path: ['proxy', 'default_role'], value: hasRoles ? closed.role : 'viewer' },
    // Postern names one role, and ends the session itself.
    ...['role_map', 'separator', 'logout_url'].map((key): Edit => ({
      path: ['proxy', key],
      value: undefined,
    })),
    { path: ['tls', 'enabled'], value: false },
  ];
}

/**
 * @param hasRoles whether the release has custom roles: 0.17 and later
 * @returns Frigate's file as it trusts Postern; the same text where it does already
 */
export function trustPostern(text: string, file: FrigateFile, hasRoles: boolean, secret: string): string {
  return editSections(text, editsFor(file, hasRoles, secret));
}

/**
 * @param original Frigate's file before Postern
 * @returns the current text with the sections of the original, and all else as it is now
 */
export function distrustPostern(text: string, original: string): string {
  const [now, before] = [contentOf(text), contentOf(original)];
  const edits = sections.flatMap((section): Edit[] => {
    const [has, had] = [valueAt(now, [section]), valueAt(before, [section])];
    if (!isPlainObject(had)) return [{ path: [section], value: had }];
    const keys = new Set([...Object.keys(isPlainObject(has) ? has : {}), ...Object.keys(had)]);
    return [...keys].flatMap((key) =>
      section === 'auth' && key === 'roles'
        ? rolesBefore(valueAt(has, [key]), had[key])
        : [{ path: [section, key], value: had[key] }],
    );
  });
  const restored = editSections(text, edits);
  return isDeepStrictEqual(contentOf(restored), before) ? original : restored;
}

/** Custom roles that were added since stay. */
function rolesBefore(now: unknown, before: unknown): readonly Edit[] {
  const names = isPlainObject(now) ? Object.keys(now) : [];
  if (isPlainObject(before) && Object.hasOwn(before, closed.role)) return [];
  if (names.some((name) => name !== closed.role))
    return [{ path: ['auth', 'roles', closed.role], value: undefined }];
  return [{ path: ['auth', 'roles'], value: before }];
}

/** The lines that differ, as `diff` marks them, only of the sections that change and without secrets. */
export function changedLines(before: string, after: string): readonly string[] {
  const [had, has] = [linesOf(before), linesOf(after)];
  const secrets = [before, after].flatMap((text) => {
    const secret = valueAt(contentOf(text), ['proxy', 'auth_secret']);
    // It may stand in several lines.
    return typeof secret === 'string' ? [secret, ...secret.split(/\s+/)].filter((part) => part !== '') : [];
  });
  return differences(had, has).map((line) => withoutSecrets(line, secrets));
}

function withoutSecrets(line: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), line);
  // With its escapes, a secret is another text.
  const written = /(auth_secret["']?\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[^\s,}#]+)/g;
  return shown.replace(written, '$1***');
}

/** The lines of the sections that change. */
function linesOf(given: string): readonly string[] {
  const content = contentOf(given);
  const shown = Object.fromEntries(sections.map((section) => [section, content[section]]));
  // A file in braces has no lines of its own.
  const text = /^\s*\{/.test(given) ? stringify(shown) : given;
  const lines: string[] = [];
  let isOfOurs = false;
  for (const line of text.split(/\r?\n/)) {
    const [, key] = /^["']?([\w.-]+)["']?\s*:/.exec(line) ?? [];
    if (key !== undefined) isOfOurs = sections.some((section) => section === key);
    if (isOfOurs && line.trim() !== '' && !line.startsWith('#')) lines.push(line);
  }
  return lines;
}

/** The longest common subsequence of two short lists stays; the rest is marked. */
function differences(had: readonly string[], has: readonly string[]): readonly string[] {
  const common = Array.from({ length: had.length + 1 }, () => has.map(() => 0));
  const at = (one: number, other: number) => common[one]?.[other] ?? 0;
  for (let one = had.length - 1; one >= 0; one -= 1)
    for (let other = has.length - 1; other >= 0; other -= 1)
      (common[one] ?? [])[other] =
        had[one] === has[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
  const marked: string[] = [];
  let [one, other] = [0, 0];
  while (one < had.length || other < has.length)
    if (one < had.length && other < has.length && had[one] === has[other]) {
      if (/^\S/.test(had[one] ?? '')) marked.push(`  ${had[one]}`);
      one += 1;
      other += 1;
    } else if (other < has.length && (one >= had.length || at(one, other + 1) > at(one + 1, other)))
      marked.push(`+ ${has[other++]}`);
    else marked.push(`- ${had[one++]}`);
  return marked;
}
