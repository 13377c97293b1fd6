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
