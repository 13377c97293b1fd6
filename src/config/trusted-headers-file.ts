import { ConfigurationError, type Problem } from './problem.ts';

const directive =
  /^proxy_set_header\s+(?:"([^"]+)"|'([^']+)'|([^\s"';]+))\s+(?:"([^"]+)"|'([^']+)'|([^\s"';]+))\s*;\s*(?:#.*)?$/;
const headerName = /^[A-Za-z0-9-]+$/;

/** The directive that makes a header trusted. */
export function trustedHeaderLine(header: string): string {
  return `proxy_set_header ${header} $http_${header.toLowerCase().replaceAll('-', '_')};`;
}

/**
 * Reads the list that nginx includes: one `proxy_set_header Name $http_name;` a line, comments, blank lines.
 * @param file path, for messages
 * @returns lower-case header names
 * @throws ConfigurationError with the number of every line that is anything else
 */
export function parseTrustedHeaders(text: string, file: string): ReadonlySet<string> {
  const names = new Set<string>();
  const problems: Problem[] = [];
  for (const [index, rawLine] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = rawLine.trim();
    if (line === '' || line.startsWith('#')) continue;
    const found = readLine(line, names);
    if ('name' in found) names.add(found.name);
    else problems.push({ path: `${file} line ${index + 1}`, ...found });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return names;
}

function readLine(
  line: string,
  names: ReadonlySet<string>,
): { readonly name: string } | Omit<Problem, 'path'> {
  const match = directive.exec(line);
  if (match === null) return { found: 'another text', allowed: '"proxy_set_header Name $http_name;"' };
  const name = match[1] ?? match[2] ?? match[3] ?? '';
  const value = match[4] ?? match[5] ?? match[6] ?? '';
  if (!headerName.test(name))
    return { found: 'a name with other characters', allowed: 'letters, digits and hyphens' };
  const expected = trustedHeaderLine(name);
  if (value.toLowerCase() !== expected.slice(expected.lastIndexOf('$'), -1)) {
    return { found: 'another value', allowed: `"${expected}", so that the header keeps its name` };
  }
  if (names.has(name.toLowerCase())) return { found: `${name} a second time`, allowed: 'one line a header' };
  return { name: name.toLowerCase() };
}
