import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { copyProject } from '../support/copied-project.ts';

/** The hash of every file below a directory, by its path; `built` is empty, `.vite` is what the builder keeps for itself. */
function hashesIn(directory: string): ReadonlyMap<string, string> {
  const files = globSync('**', { cwd: directory }).filter((path) => statSync(join(directory, path)).isFile());
  return new Map(
    files.toSorted().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(directory, path)))
        .digest('hex'),
    ]),
  );
}

/** Builds a copy of the project: programs, UI, licences and the bill of materials. */
async function buildCopy(directory: string, environment: Record<string, string>): Promise<void> {
  copyProject(directory);
  const env = { PATH: process.env['PATH'], HOME: directory, ...environment };
  for (const program of ['script/build.ts', 'script/bill-of-materials.ts'])
    await promisify(execFile)(process.execPath, [program], { cwd: directory, env });
}

test('two builds in two places are the same, byte for byte', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'postern-reproducible-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const [here, elsewhere] = [join(scratch, 'here'), join(scratch, 'a longer way', 'elsewhere')];
  await Promise.all([
    buildCopy(here, {}),
    buildCopy(elsewhere, { TZ: 'Pacific/Kiritimati', LC_ALL: 'de_DE.UTF-8', NODE_ENV: 'development' }),
  ]);
  const first = hashesIn(join(here, 'dist'));
  for (const file of [
    'main.js',
    'main-program.js',
    'main-program.js.map',
    'licences.md',
    'sbom.cdx.json',
    'web/screen.html',
  ])
    expect(first.has(file), file).toBe(true);
  expect(hashesIn(join(elsewhere, 'dist'))).toEqual(first);
});
