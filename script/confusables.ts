/*
 * Writes src/policy/confusables.ts from Unicode's table of letters that look alike (UTS 39, confusables.txt), as the crate unicode-security has it:
 *
 *   cargo vendor (a project that depends on unicode-security)
 *   node script/confusables.ts vendor/unicode-security/src/tables.rs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClearName } from '../src/policy/names.ts';

const [tables] = process.argv.slice(2);
if (tables === undefined) throw new Error('usage: node script/confusables.ts TABLES.RS');
const source = readFileSync(tables, 'utf8');
const [, version = ''] = /UNICODE_VERSION: \(u64, u64, u64\) = \((\d+, \d+, \d+)\)/.exec(source) ?? [];
const [, rows = ''] =
  /const CONFUSABLES: &'static \[\(char, &'static \[char\]\)\] = &\[\n(.*?)\n {4}\];/s.exec(source) ?? [];

/** `'\u{22}'`, and `'\u{27}', '\u{27}'`. */
const charactersIn = (written: string) =>
  [...written.matchAll(/\\u\{([0-9a-f]+)\}/g)].map(([, hex = '']) => Number.parseInt(hex, 16));

const groups = new Map<string, number[]>();
for (const [, from = '', to = ''] of rows.matchAll(/\('([^']+)',\s+&\[([^\]]+)\]\)/g)) {
  const [code = 0] = charactersIn(from);
  const character = String.fromCodePoint(code);
  // No name has the others, and a skeleton begins with NFD.
  if (!isClearName(character) || character.normalize('NFD') !== character) continue;
  const prototype = charactersIn(to)
    .map((each) => each.toString(16))
    .join('+');
  groups.set(prototype, [...(groups.get(prototype) ?? []), code]);
}

const words = [...groups].flatMap(([prototype, codes]) =>
  [`${prototype}:`].concat(codes.map((code) => code.toString(16))),
);
const lines = [''];
for (const word of words) {
  const line = lines.at(-1) ?? '';
  if (line.length + word.length > 188) lines.push(word);
  else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
}

writeFileSync(
  join(import.meta.dirname, '../src/policy/confusables.ts'),
  `// Written by script/confusables.ts from the table of Unicode ${version.replaceAll(', ', '.')}, © Unicode, Inc. (https://www.unicode.org/terms_of_use.html).

/** Code points that look alike (UTS 39): \`what they look like:\`, of which several are joined by \`+\`, and then each, in hexadecimal. */
export const confusables = \`
${lines.join('\n')}
\`;
`,
);
