import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Builds the UI into dist/web when something it is made from is newer. */
export async function buildUi(): Promise<void> {
  const sources = ['vite.config.ts', 'package-lock.json', ...globSync('src/web/**/*.*', { cwd: root })];
  const built = modified('dist/web/index.html');
  if (sources.every((source) => modified(source) <= built)) return;
  const { build } = await import('vite');
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
}

/** Milliseconds since the epoch; 0 when there is no such file. */
function modified(path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (import.meta.main) await buildUi();
