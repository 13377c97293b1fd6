import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linksOf } from '../../support/markdown.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

function pagesIn(page: string, section: string): readonly string[] {
  const [, after = ''] = textOf(page).split(`\n## ${section}\n`);
  const rows = (after.split('\n## ')[0] ?? '').match(/^[|-] .*$/gm) ?? [];
  return linksOf(rows.join('\n')).map((link) => join(dirname(page), link.replace(/#.*/, '')));
}

const roads = new Set([
  ...pagesIn('README.md', 'Which set-up is mine'),
  ...pagesIn('docs/README.md', 'Start'),
  ...pagesIn('docs/README.md', 'Put it before your recorder'),
  ...globSync(['docs/{fronts,sso}/*/README.md', 'docs/sign-on/*.md'], { cwd: projectRoot }),
]);

test('there are roads', () => expect(roads.size).toBeGreaterThan(30));

describe.each([...roads])('%s', (page) => {
  const text = textOf(page);

  test('begins with what its reader will have, and after how long', () => {
    const [, outcome] = text.split('\n\n');
    expect(outcome).toMatch(/\b(?:minutes|hour)\b/);
  });

  test('ends with a check', () => {
    expect(text.match(/^## .*$/gm)?.at(-1)).toBe('## Check it');
  });
});
