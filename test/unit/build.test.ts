import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isCurrent } from '../../script/build.ts';

test.each<[what: string, built: number | undefined, sources: readonly number[], current: boolean]>([
  ['is there, and newer than its sources', 20, [10, 15], true],
  ['is as old as the newest source', 20, [10, 20], true],
  ['is older than one of them', 20, [10, 21], false],
  ['is not there', undefined, [10], false],
])('what %s is built: %s, of %s; left alone: %s', (_, built, sources, current) => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-build-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const write = (name: string, modified: number) => {
    writeFileSync(join(directory, name), '');
    utimesSync(join(directory, name), modified, modified);
    return name;
  };
  if (built !== undefined) write('built', built);
  const names = sources.map((modified, index) => write(`source${index}`, modified));
  expect(isCurrent('built', names, directory)).toBe(current);
});
