import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, linksOf } from '../../support/markdown.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot });
const textOf = (page: string) => readFileSync(join(projectRoot, page), 'utf8');

/** @returns what is wrong with a link; undefined: nothing */
function faultOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return URL.parse(link)?.hostname ? undefined : 'is no URL';
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? page : relative(projectRoot, join(projectRoot, dirname(page), path));
  if (target.startsWith('..')) return 'leads out of the project';
  if (!existsSync(join(projectRoot, target))) return 'leads to nothing';
  if (anchor === undefined) return undefined;
  if (statSync(join(projectRoot, target)).isDirectory() || !target.endsWith('.md'))
    return 'has an anchor in what is no page';
  return anchorsOf(textOf(target)).has(anchor) ? undefined : 'has an anchor that is no heading';
}

describe('every link of a page leads somewhere', () => {
  test('there are pages with links', () => {
    expect(pages).toContain('docs/accounts.md');
    expect(linksOf(textOf('README.md')).length).toBeGreaterThan(10);
  });

  test.each(pages)('%s', (page) => {
    const faults = linksOf(textOf(page)).flatMap((link) => {
      const fault = faultOf(page, link);
      return fault === undefined ? [] : [`${link} ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  test.each<[link: string, fault: string | undefined]>([
    ['docs/no-such-page.md', 'leads to nothing'],
    ['../elsewhere.md', 'leads out of the project'],
    ['docs/accounts.md#no-such-heading', 'has an anchor that is no heading'],
    ['LICENSE#mit', 'has an anchor in what is no page'],
    ['https:///', 'is no URL'],
    ['docs/accounts.md#the-first-admin', undefined],
    ['https://localhost:8971', undefined],
  ])('%s', (link, fault) => {
    expect(faultOf('README.md', link)).toBe(fault);
  });
});

test('the index lists every guide', () => {
  const listed = new Set(
    linksOf(textOf('docs/README.md')).map((link) => join('docs', link.split('#', 1)[0] ?? '')),
  );
  const guides = pages.filter((page) => dirname(page) === 'docs' && page !== 'docs/README.md');
  expect(guides.length).toBeGreaterThan(30);
  expect(guides.filter((page) => !listed.has(page))).toEqual([]);
});

test('the README can be read in a few minutes', () => {
  expect(textOf('README.md').split(/\s+/).length).toBeLessThanOrEqual(700);
});

test('every page can be reached from the README', () => {
  const reached = new Set<string>();
  const walk = (page: string) => {
    if (reached.has(page) || !pages.includes(page)) return;
    reached.add(page);
    for (const link of linksOf(textOf(page))) {
      const [path = ''] = link.split('#', 1);
      if (path !== '' && !/^[a-z]+:/.test(path)) walk(join(dirname(page), path));
    }
  };
  walk('README.md');
  expect(pages.filter((page) => !reached.has(page))).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])(
  'every path that %s names exists',
  (page) => {
    const named = readFileSync(join(projectRoot, page), 'utf8').match(
      /\b(?:src|test|script)\/[\w./-]+\.tsx?\b/g,
    );
    expect(named?.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  },
);
