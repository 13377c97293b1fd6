import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

/** Prose by hand; the rest of docs/ is generated, or has the figures of an earlier run. */
const prose = globSync(['README.md', 'docs/**/*.md'], { cwd: projectRoot }).filter(
  (path) => !/^docs\/(?:configuration|api|reasons|performance)\.md$/.test(path),
);

test('documents call people and signing in by the words of the pages', () => {
  const unlike =
    /\b(?:who(?:m)?ever|(?:no|some|any|every)body|anew|told|any more|log(?:s|ged|ging)? (?:in|out))\b|\b(?:is|are) good\b/i;
  const found = prose.flatMap((path) =>
    readFileSync(join(projectRoot, path), 'utf8')
      .replace(/^\s*```[^]*?^\s*```|`[^`\n]*`|\]\([^)\s]*\)/gm, '')
      .split('\n')
      .filter((line) => unlike.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(prose.length).toBeGreaterThan(30);
  expect(found).toEqual([]);
});

/** The same tics where programs describe themselves, and in what is generated from that. */
const tics = /\b(?:who(?:m)?ever|(?:no|some|any|every)body|anew|told|any more)\b|\b(?:is|are) good\b/i;

const described = globSync(
  ['docs/{api,configuration,reasons}.md', 'src/{config,api/doctor,recorder}/**/*.ts', 'src/audit/*.ts'],
  { cwd: projectRoot },
);

test('configuration, doctor and audit speak plainly', () => {
  const found = described.flatMap((path) => {
    const text = readFileSync(join(projectRoot, path), 'utf8');
    const parts = path.endsWith('.md') ? text.split('\n') : sentences(text);
    return parts.filter((part) => tics.test(part.replace(fixed, ''))).map((part) => `${path}: ${part}`);
  });
  expect(described.length).toBeGreaterThan(80);
  expect(found).toEqual([]);
});
