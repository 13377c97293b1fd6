import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releases } from '../../support/recorder-facts.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const committed = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const [, section = ''] = committed('docs/upgrade.md').split('## What it runs with');
const rows = new Map(
  [...section.matchAll(/^\| (.*?) +\| (.*?) +\| (.*?) +\|$/gm)].map(
    ([, program = '', supported = '', tested = '']) => [program, { supported, tested }] as const,
  ),
);

test('docs/upgrade.md has the Node that package.json asks for and pins', () => {
  const { engines, devDependencies } = JSON.parse(committed('package.json')) as {
    readonly engines: { readonly node: string };
    readonly devDependencies: { readonly node: string };
  };
  expect(rows.get('Node')?.supported).toBe(`${engines.node.replace('>=', '')} or later`);
  expect(devDependencies.node).toMatch(new RegExp(`^${rows.get('Node')?.tested}\\.`));
});

test('docs/upgrade.md has the releases of the recorder whose routes the tests know', () => {
  expect(rows.get('Frigate')?.supported).toBe(releases.join(', '));
});

test('docs/upgrade.md has the oldest PostgreSQL that the program accepts', () => {
  const [, oldest] =
    /too old: (\d+ or later) is needed/.exec(committed('src/store/postgres/client.ts')) ?? [];
  expect(rows.get('PostgreSQL, with `store.url`')?.supported).toBe(oldest);
});
