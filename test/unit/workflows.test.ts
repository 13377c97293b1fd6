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
    {
      readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
      readonly uses?: string;
      readonly needs?: readonly string[];
      readonly permissions?: object;
      readonly strategy?: { readonly matrix: object };
    }
  >;
}

const runsOf = ({ steps = [] }: Workflow['jobs'][string]) => steps.flatMap(({ run }) => run ?? []);

test.each(workflows)('%s reads only, and names actions by their commit: a tag can move', (file) => {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  const { permissions, jobs } = parse(text) as Workflow;
  expect(permissions).toEqual({ contents: 'read' });
  const used = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) {
    expect(action).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/);
    expect(text).toMatch(new RegExp(`uses: ${action} # v\\d+\\.\\d+\\.\\d+\\n`));
  }
});

test('every push is tested, also on a new machine and in the images, and the signatures of the packages are checked', () => {
  const { jobs } = parse(readFileSync(join(projectRoot, '.github/workflows/ci.yml'), 'utf8')) as Workflow;
  const runs = Object.values(jobs).flatMap(runsOf);
  expect(runs).toContain('script/test');
  expect(runs).toContain('script/check-signatures');
  expect(runs).toContain('script/try-debian unit');
  expect(runs).toContain('script/try-images /tmp/images');
});

test('every night changes the code, and gives the parsers what no one has written', () => {
  const { jobs } = parse(readFileSync(join(projectRoot, '.github/workflows/night.yml'), 'utf8')) as Workflow;
  const runs = Object.values(jobs).flatMap(runsOf);
  expect(runs.filter((run) => /^script\/(?:mutate|fuzz) /.test(run))).toHaveLength(2);
});

test('a tag is tested, and publishes the images for two processors with their bill of materials', () => {
  const text = readFileSync(join(projectRoot, '.github/workflows/release.yml'), 'utf8');
  const { on, jobs } = parse(text) as Workflow & { readonly on: object };
  expect(on).toEqual({ push: { tags: ['v*'] } });
  const { test: tests, images, publish } = jobs;
  expect(tests?.uses).toBe('./.github/workflows/ci.yml');
  expect([images?.needs, publish?.needs]).toEqual([
    ['test', 'version'],
    ['version', 'images'],
  ]);
  expect(images?.strategy?.matrix).toEqual({
    target: ['gateway', 'add-on', 'front'],
    processor: ['amd64', 'arm64'],
  });
  const runs = Object.values(jobs).flatMap(runsOf).join('\n');
  for (const words of [
    '--sbom=true',
    'script/release "$VERSION" --no-images',
    'for target in gateway add-on front; do',
    'script/add-on --image "$REGISTRY/postern-add-on"',
    'gh release create',
    'imagetools create',
  ])
    expect(runs).toContain(words);
  // Only these may write.
  const writing = Object.entries(jobs).filter(([, { permissions = {} }]) =>
    /write/.test(JSON.stringify(permissions)),
  );
  expect(writing.map(([name]) => name)).toEqual(['images', 'publish']);
});

test('no value of a workflow is pasted into a command, where it could be one', () => {
  for (const file of workflows) {
    const { jobs } = parse(readFileSync(join(projectRoot, file), 'utf8')) as Workflow;
    const pasted = Object.values(jobs)
      .flatMap(runsOf)
      .flatMap((run) => run.match(/\$\{\{.*?\}\}/g) ?? []);
    expect(
      pasted.filter((value) => !value.startsWith('${{ matrix.')),
      file,
    ).toEqual([]);
  }
});
