import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../support/start-gateway.ts';

const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot });

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Record<
    string,
    { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }
  >;
}

test.each(workflows)('%s reads only, and names actions by their commit: a tag can move', (file) => {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const { permissions, jobs } = parse(text) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) {
    expect(action).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/);
    expect(text).toMatch(new RegExp(`uses: ${action} # v\\d+\\.\\d+\\.\\d+\\n`));
  }
});

test('every push is tested, also on a new machine and in the images, and the signatures of the packages are checked', () => {
  const { jobs } = parse(readFileSync(join(projectRoot, '.github/workflows/ci.yml'), 'utf8')) as Workflow;
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(runs).toContain('script/test');
  expect(runs).toContain('script/check-signatures');
  expect(runs).toContain('script/try-debian unit');
  expect(runs).toContain('script/try-images /tmp/images');
});

test('every night changes the code, and gives the parsers what no one has written', () => {
  const { jobs } = parse(readFileSync(join(projectRoot, '.github/workflows/night.yml'), 'utf8')) as Workflow;
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(runs.filter((run) => /^script\/(?:mutate|fuzz) /.test(run))).toHaveLength(2);
});
