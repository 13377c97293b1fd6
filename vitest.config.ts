import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { slowFiles } from './test/slow-files.ts';
import { SlowestFirst } from './test/support/slowest-first.ts';
import { isQuick } from './test/support/tier.ts';

/** How many times as long as on an idle machine a program takes to start here and now; at least 1. */
function measureSlowness(): number {
  const idleMilliseconds = 60;
  const began = performance.now();
  const times = 3;
  for (let i = 0; i < times; i += 1) spawnSync(process.execPath, ['--eval', '']);
  return Math.max(1, (performance.now() - began) / times / idleMilliseconds);
}

process.env['SLOWNESS'] ??= measureSlowness().toFixed(1);
/** Milliseconds, as `patience` of test/support/patience.ts. */
const patience = 60_000 * Number(process.env['SLOWNESS']);

export default defineConfig({
  test: {
    globalSetup: ['test/support/files-in-memory.ts', 'test/support/build.ts', 'test/support/postgres.ts'],
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isQuick ? slowFiles.map((name) => `test/${name}.test.ts`) : [])],
    pool: 'forks',
    // A worker keeps its modules from file to file: loading them costs more than most files.
    isolate: false,
    // MiB. Most of what a test makes is garbage at once, and young: with room for it, a tenth of the processor time is saved.
    execArgv: ['--max-semi-space-size=64'],
    // Most tests wait for a server, a browser or a time limit, and leave the core to other files.
    maxWorkers: Math.floor(2.5 * availableParallelism()),
    sequence: { sequencer: SlowestFirst },
    fsModuleCache: true,
    // Nets for what never ends, not measures: a busy machine may take its time.
    testTimeout: 3 * patience,
    hookTimeout: 3 * patience,
    teardownTimeout: patience,
    expect: { poll: { timeout: patience } },
    // With --coverage; what runs in processes of its own is not in it.
    coverage: { include: ['src/**/*.ts'], exclude: ['src/web/**'], reporter: ['text-summary', 'html'] },
  },
});
