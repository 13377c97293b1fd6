import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../support/start-gateway.ts';

/** Private words for what the field, and ARCHITECTURE.md, have a term for. */
const replaced: ReadonlyArray<readonly [word: RegExp, term: string]> = [
  [/\b(?:authenticated|internal|both|each) edges?\b/i, 'entry point'],
  [/(?<!sqlite )\bdialects?\b(?!: new)/i, 'adapter'],
  [/\bin force\b/i, 'current, or applied'],
  [/\bnarrowed tokens?\b|\btoken (?:that )?is narrowed\b/i, 'camera-scoped token'],
  [/\blive sessions?\b/i, 'active session'],
  [/\bjudge?ments?\b|\bsightings?\b/i, 'decision, last seen'],
  [/\b(?:tellsOfNone|pathSaysAll|byLogin|inForce)\b/, 'namesNoCamera, bodyless, requiresSession, current'],
  [/surroundings/i, 'context, or what it holds'],
  [/\bquestionConf\b|\bwithout a question\b/, 'authorization request'],
];

const files = globSync(['*.md', 'docs/**/*.md', '{src,script,test}/**/*.{ts,tsx}'], {
  cwd: projectRoot,
}).filter(
  // The figures of an earlier run, and this list.
  (path) => path !== 'docs/performance.md' && !path.endsWith('words.test.ts'),
);

test('source, tests and documents use the terms of the field', () => {
  const found = files.flatMap((path) =>
    readFileSync(join(projectRoot, path), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        replaced
          .filter(([word]) => word.test(line))
          .map(([, term]) => `${path}:${i + 1} (${term}): ${line.trim()}`),
      ),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

/** What no one would say to a friend at the door, and words for signing in that the pages don't use. */
const unfriendly =
  /\b(?:who(?:m)?ever|(?:no|some|any|every)body|anew|go(?:es)? on|told|tells?|says|wants|knows|any more|log(?:s|ged|ging)? (?:in|out)|logins?|logout|(?:is|are) good)\b/i;

/** Answers that clients compare, and code. */
const fixed = /^Login failed$|`[^`]*`|\$\{[^}]*\}|--[\w-]+/g;

const texts = globSync(['src/language/en/*.ts', 'src/{errors,policy/reasons}.ts', 'src/cli/*.ts'], {
  cwd: projectRoot,
});

test('pages, reasons and commands speak plainly', () => {
  const found = texts.flatMap((path) =>
    sentences(readFileSync(join(projectRoot, path), 'utf8'))
      .filter((text) => unfriendly.test(text.replace(fixed, '')))
      .map((text) => `${path}: ${text}`),
  );
  expect(texts.length).toBeGreaterThan(60);
  expect(found).toEqual([]);
});

/** Literals of several words, without comments. */
function sentences(source: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"([^"\n]*)"|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((text) => text.includes(' '));
}

/** What no one says to a colleague. */
const tics: ReadonlyArray<{ readonly tic: RegExp; readonly instead: string }> = [
  {
    tic: /\b(?:who(?:m)?ever|(?:no|some|any|every)body)\b/gi,
    instead: 'you, users, anyone, no one, someone',
  },
  { tic: /\banew\b/gi, instead: 'again' },
  { tic: /\b(?:is|are|stays?|still) good\b/gi, instead: 'valid' },
  { tic: /\bsa(?:ys|id)\b/gi, instead: 'shows, returns, logs, names' },
  // Programs "can't tell cookies apart".
  { tic: /(?<!\b(?:can['’]t|cannot) )\b(?:tells?|told|telling)\b/gi, instead: 'shows, sends, distinguishes' },
  { tic: /\bwants\b/gi, instead: 'tries, needs' },
  { tic: /(?<!\bwho )\bknows\b/gi, instead: 'has, reads' },
  { tic: /\b(?:go(?:es)?|going|went) on\b/gi, instead: 'continue' },
  { tic: /\b(?:of|from|what was|same as) before\b/gi, instead: 'earlier, older than' },
  { tic: /\bin force\b/gi, instead: 'current, applied' },
  { tic: /\bthere (?:is|are|was|were) none\b/gi, instead: 'none, without one' },
  { tic: /\bany more\b/gi, instead: 'no longer' },
  { tic: /\blog(?:s|ged|ging)? (?:in|out)\b/gi, instead: 'sign in, sign out' },
  { tic: /\bneed not\b/gi, instead: 'doesn’t have to' },
  { tic: /\bmay (?:stay|be) empty\b/gi, instead: 'optional' },
  { tic: /\bcertificates? (?:has|have) ended\b/gi, instead: 'expired' },
];

const tracked = (...patterns: string[]) =>
  globSync(patterns, { cwd: projectRoot, exclude: ['**/node_modules/**', 'dist/**', 'data/**'] }).filter(
    (path) => !path.endsWith('words.test.ts'),
  );
const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

/** Each kind of file, and what of its text is prose; the rest is blank, so that lines keep their numbers. */
const prose = {
  documents: {
    files: tracked('*.md', 'docs/**/*.md'),
    keep: (text: string) =>
      text.replaceAll(/^[ \t]*```[^]*?^[ \t]*```|`[^`\n]*`|\]\([^)\s]*\)|<!--[^]*?-->/gm, blank),
  },
  comments: {
    files: tracked('{src,script,test}/**/*.{ts,tsx,js,cjs}'),
    keep: (text: string) => only(text, /^[ \t{]*\/\*[^]*?\*\/|(?<=^|[\s;,{}()])\/\/ .*$/gm),
  },
  configuration: {
    files: tracked(
      '*.{yaml,yml,conf}',
      'Dockerfile',
      '{nginx,docs}/**/*.{yml,yaml,conf,cfg,toml,lua,service,socket,timer,tmpfiles}',
      'docs/**/Caddyfile',
      'script/*[!.]',
    ).filter((path) => !/^script\/.*\./.test(path) && statSync(join(projectRoot, path)).isFile()),
    keep: (text: string) => only(text, /(?<=^|\s)(?:#|--) .*$/gm),
  },
};

/** @returns a text with what does not match blank */
function only(text: string, kept: RegExp): string {
  let result = '';
  let end = 0;
  for (const { 0: match, index } of text.matchAll(kept)) {
    result += blank(text.slice(end, index)) + match.replaceAll(/`[^`\n]*`/g, blank);
    end = index + match.length;
  }
  return result + blank(text.slice(end));
}

function ticsIn(text: string, tic: RegExp): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => (line.match(tic) ?? []).map(() => `${i + 1}: ${line.trim()}`));
}

describe.each(Object.entries(prose))('%s', (kind, { files: paths, keep }) => {
  const texts = paths.map((path) => [path, keep(readFileSync(join(projectRoot, path), 'utf8'))] as const);

  test('are found', () => {
    expect(paths.length).toBeGreaterThan({ documents: 50, comments: 1000, configuration: 40 }[kind] ?? 0);
    expect(texts.map(([, text]) => text.trim().length).reduce((a, b) => a + b)).toBeGreaterThan(20_000);
  });

  test.each(tics)('have no $tic', ({ tic, instead }) => {
    const found = texts.flatMap(([path, text]) => ticsIn(text, tic).map((line) => `${path}:${line}`));
    expect(found, `write: ${instead}`).toEqual([]);
  });
});

test('a tic is found in prose, not in code', () => {
  const { documents, comments, configuration } = prose;
  const tic = tics[0]?.tic ?? /$/;
  for (const [text, count] of [
    ['Whoever has it.', 1],
    ['`whoever` has it.\n\n```sh\nwhoever\n```\n[a](whoever.md)', 0],
  ] as const)
    expect(ticsIn(documents.keep(text), tic)).toHaveLength(count);
  for (const [text, count] of [
    ['/** Whoever. */\nf(); // nobody', 2],
    ["const whoever = 'https://nobody.example'; // `nobody`", 0],
  ] as const)
    expect(ticsIn(comments.keep(text), tic)).toHaveLength(count);
  expect(ticsIn(configuration.keep('# Whoever.\nuser: nobody # everybody\nnobody'), tic)).toEqual([
    '1: # Whoever.',
    '2: # everybody',
  ]);
});

/** The same where programs describe themselves. */
const ownTics = /\b(?:who(?:m)?ever|(?:no|some|any|every)body|anew|told|any more)\b|\b(?:is|are) good\b/i;

const described = globSync(['src/{config,api/doctor,recorder}/**/*.ts', 'src/audit/*.ts'], {
  cwd: projectRoot,
});

test('configuration, doctor and audit speak plainly', () => {
  const found = described.flatMap((path) =>
    sentences(readFileSync(join(projectRoot, path), 'utf8'))
      .filter((text) => ownTics.test(text.replace(fixed, '')))
      .map((text) => `${path}: ${text}`),
  );
  expect(described.length).toBeGreaterThan(75);
  expect(found).toEqual([]);
});
