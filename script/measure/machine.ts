import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { tableText } from './report.ts';

const root = join(import.meta.dirname, '..', '..');

/** The machine and the versions that a run was made with. */
export function circumstances(now: Date): string {
  const hono = JSON.parse(readFileSync(join(root, 'node_modules/hono/package.json'), 'utf8')) as {
    readonly version: string;
  };
  return tableText({
    head: ['', ''],
    rows: [
      ['date', now.toISOString().slice(0, 10)],
      ['CPU', `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores`],
      ['memory', `${Math.round(totalmem() / 2 ** 30)} GiB`],
      ['kernel', `Linux ${release()}`],
      ['Node', process.versions.node],
      ['Hono', hono.version],
      ['nginx', /nginx\/(\S+)/.exec(outputOf('nginx', '-v'))?.[1] ?? 'unknown'],
      ['wrk', /wrk (\S+)/.exec(outputOf('wrk', '-v'))?.[1] ?? 'unknown'],
      ['Postern', commit()],
    ],
  });
}

function commit(): string {
  const id = outputOf('git', 'rev-parse', '--short=12', 'HEAD').trim();
  const isChanged =
    outputOf('git', 'status', '--porcelain', 'src', 'nginx', 'package-lock.json').trim() !== '';
  return `commit ${id}${isChanged ? ', with changes that are not committed' : ''}`;
}

function outputOf(command: string, ...parameters: readonly string[]): string {
  const { stdout, stderr } = spawnSync(command, parameters, { cwd: root, encoding: 'utf8' });
  return `${stdout}${stderr}`;
}
