import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../support/start-gateway.ts';

const guide = readFileSync(join(projectRoot, 'docs/upgrade.md'), 'utf8');

/** @returns a number that grows with the version in a text */
function versionIn(text: string): number {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) * 1_000 + Number(minor);
}

test.each([
  ['nginx', ['-v']],
  ['HAProxy', ['-v']],
  ['Caddy', ['version']],
])('docs/upgrade.md has no newer %s than the one that is tested', (name, parameters) => {
  const { stdout, stderr, error } = spawnSync(name.toLowerCase(), parameters, { encoding: 'utf8' });
  expect(error).toBeUndefined();
  const [, oldest = ''] = new RegExp(`^\\| ${name} +\\| (.*?) +\\|`, 'm').exec(guide) ?? [];
  expect(versionIn(`${stdout}${stderr}`)).toBeGreaterThanOrEqual(versionIn(oldest));
});
