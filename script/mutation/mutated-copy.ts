import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mutate, type Mutation } from './mutations.ts';

/** The outcome of a run of tests; `late`: it timed out, which counts as noticed. */
export type Outcome = 'green' | 'red' | 'late';

/** A copy of the project in which one file at a time has a mutation, so that the project itself never has one. */
export class MutatedCopy implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'postern-mutated-'));
  #running: ChildProcess | undefined;

  /** @param project its root */
  constructor(project: string) {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: project,
      encoding: 'utf8',
    });
    for (const file of listed.split('\0').filter((name) => name !== '')) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true });
      cpSync(join(project, file), join(this.root, file), { preserveTimestamps: true });
    }
    cpSync(join(project, 'dist'), join(this.root, 'dist'), { recursive: true, preserveTimestamps: true });
    symlinkSync(join(project, 'node_modules'), join(this.root, 'node_modules'));
  }

  /** Runs tests until one fails, in one process. */
  async run(tests: readonly string[], timeoutMs: number): Promise<Outcome> {
    const vitest = join(this.root, 'node_modules/.bin/vitest');
    const child = spawn(vitest, ['run', '--bail=1', '--maxWorkers=1', '--reporter=dot', ...tests], {
      cwd: this.root,
      stdio: 'ignore',
      // Its child processes can be stopped with it.
      detached: true,
    });
    this.#running = child;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#end();
    }, timeoutMs);
    const [code] = (await once(child, 'exit')) as [number | null];
    this.#running = undefined;
    clearTimeout(timer);
    if (isLate) return 'late';
    return code === 0 ? 'green' : 'red';
  }

  /** Does something while a file has a mutation. */
  async with<T>(file: string, mutation: Mutation, work: () => Promise<T>): Promise<T> {
    const path = join(this.root, file);
    const source = readFileSync(path, 'utf8');
    const { atime, mtime } = statSync(path);
    const write = (text: string) => {
      writeFileSync(path, text);
      // The bundle is unchanged: the tests that are run here start no program of it.
      utimesSync(path, atime, mtime);
    };
    write(mutate(source, mutation));
    try {
      return await work();
    } finally {
      write(source);
    }
  }

  #end(): void {
    if (this.#running?.pid !== undefined) process.kill(-this.#running.pid, 'SIGKILL');
  }

  [Symbol.dispose](): void {
    this.#end();
    rmSync(this.root, { recursive: true, force: true });
  }
}
