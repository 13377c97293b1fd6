import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { blocksOf, type Block } from '../support/markdown.ts';
import { promisedStatuses, runPage } from '../support/run-page.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { canHere } from '../support/can-here.ts';

const isMarked = ({ marks }: Block) => marks.some((mark) => mark === 'runnable' || mark.startsWith('file='));
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: projectRoot })
  .map((page) => [page, blocksOf(readFileSync(join(projectRoot, page), 'utf8')).filter(isMarked)] as const)
  .filter(([, blocks]) => blocks.length > 0);

const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
const hasNamespaces = canHere(
  'unshare with a network of its own',
  spawnSync('unshare', [...asRoot, '--net', '--pid', '--fork', 'ip', 'link', 'set', 'lo', 'up']).status === 0,
);

// Each has a network of its own.
describe.skipIf(!hasNamespaces).concurrent('what a page tells to run does what it says', () => {
  test('there are pages with such blocks', () => expect(pages.length).toBeGreaterThan(0));

  test.each(pages)('%s', async (_, blocks) => {
    const { status, output } = await runPage(blocks);
    expect(status, output).toBe(0);
    const statuses = [...output.matchAll(/\[(\d{3})\]/g)].map(([, found]) => found);
    expect(statuses, output).toEqual(promisedStatuses(blocks));
  });

  test('after the example of docs/try-it.md a first start is a first start', async () => {
    const [example, firstRun] = ['docs/try-it.md', 'docs/first-run.md'].map(
      (page) => new Map(pages).get(page) ?? [],
    );
    const { status, output } = await runPage([...(example ?? []), ...(firstRun ?? [])]);
    expect(status, output).toBe(0);
    const statuses = [...output.matchAll(/\[(\d{3})\]/g)].map(([, found]) => found);
    expect(statuses, output).toEqual(promisedStatuses([...(example ?? []), ...(firstRun ?? [])]));
    expect(statuses.length).toBeGreaterThan(15);
  });

  test.each<[what: string, page: string, status: number]>([
    ['a command that fails', '```sh runnable\nfalse\n```', 1],
    ['a command that fails in the middle', '```sh runnable\nfalse\ntrue\n```', 1],
    ['a command that fails as it says', '```sh runnable exit=3\nsh -c "exit 3"\n```', 0],
    ['a command that does not fail as it says', '```sh runnable exit=3\ntrue\n```', 1],
    ['a server that does not start', '```sh runnable server\nfalse\n```', 1],
    [
      'a file and what reads it',
      '```yaml file=a/b.yml\na: 1\n```\n\n```sh runnable\ngrep "a: 1" a/b.yml\n```',
      0,
    ],
  ])('%s', async (_, page, status) => {
    expect((await runPage(blocksOf(page))).status).toBe(status);
  });
});
