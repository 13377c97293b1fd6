import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** Before this run began. */
const [load = 0] = loadavg();

/** Whether other programs keep the cores busy. */
export const isBusy = load > 1;

/** The machine and the versions of a run. */
export function circumstances(now: Date): string {
  const nginx = /nginx\/(\S+)/.exec(outputOf('nginx', '-v'))?.[1] ?? '?';
  const commit = outputOf('git', '-C', import.meta.dirname, 'rev-parse', '--short=12', 'HEAD').trim();
  const cores = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const versions = `Node ${process.versions.node}, nginx ${nginx}`;
  const busy = isBusy
    ? ' **Provisional: other programs kept the cores busy, so all figures are too high.**'
    : '';
  return `Measured on ${now.toISOString().slice(0, 10)}, commit ${commit}: ${cores}, ${versions}.${busy}`;
}

function outputOf(command: string, ...parameters: readonly string[]): string {
  const { stdout, stderr } = spawnSync(command, parameters, { encoding: 'utf8' });
  return `${stdout}${stderr}`;
}
