import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryPaths } from '../../test/support/nginx-temporary.ts';
import { listening } from '../../test/support/ports.ts';

export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const stops: Array<() => Promise<void> | void> = [];
let root: string | undefined;

/** Calls it when the measurement is over, or on Ctrl-C; the last one first. */
export function atEnd(stop: () => Promise<void> | void): void {
  stops.push(stop);
}

/** Stops every program and removes every file of a measurement. */
export async function stopAll(): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
}

/** A directory that is removed at the end. */
export function temporaryDirectory(name: string): string {
  if (root === undefined) {
    root = mkdtempSync(join(tmpdir(), 'postern-bench-'));
    // nginx's worker is another user.
    chmodSync(root, 0o711);
    process.once('exit', () => rmSync(root ?? '', { recursive: true, force: true }));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => void stopAll().finally(() => process.exit(130)));
  }
  const directory = mkdtempSync(join(root, `${name}-`));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface Started {
  readonly pid: number;
  /** Its output up to the line with which it is ready. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** Starts a program and waits for a line of its output. @throws when it ends before */
export async function startProgram(
  program: Program,
  isReady: (line: string) => boolean = () => true,
): Promise<Started> {
  const child = spawnProgram(program, ['ignore', 'pipe', 'inherit']);
  const stop = () => stopChild(child);
  atEnd(stop);
  const { pid = 0, stdout } = child;
  const lines: string[] = [];
  if (stdout === null) throw new Error('without output');
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line);
    if (!isReady(line)) continue;
    stdout.resume();
    return { pid, lines, stop };
  }
  throw new Error(`${nameOf(program)} ended: ${lines.join('\n')}`);
}

/** Starts a program and waits until it listens. @returns its process id */
export async function startListening(program: Program, address: string): Promise<number> {
  const child = spawnProgram(program, ['ignore', 'ignore', 'inherit']);
  atEnd(() => stopChild(child));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${nameOf(program)} ended`);
  });
  await Promise.race([listening(address), ended]);
  ended.catch(() => undefined);
  return child.pid ?? 0;
}

/** nginx with one worker. @param http directives of `http`. @returns its process id */
export function startNginx(directory: string, address: string, http: string): Promise<number> {
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log stderr warn;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  ${temporaryPaths(directory)}
  access_log off; keepalive_requests 1000000000; sendfile on; tcp_nopush on;
  ${http}
}
`,
  );
  return startListening(
    { command: 'nginx', arguments: ['-p', directory, '-c', file, '-e', 'stderr'] },
    address,
  );
}

/** Runs a program to its end. @returns its output. @throws when it fails */
export async function runProgram(program: Program): Promise<string> {
  const child = spawnProgram(program, ['ignore', 'pipe', 'inherit']);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${nameOf(program)} failed: ${output}`);
  return output;
}

/** Resident memory in MiB. */
export function residentMemory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

/**
 * Seconds of the processor, user and system, that the threads of a process and of its children have taken. Other than
 * /proc/PID/stat it counts nanoseconds; threads that have ended are missing, but these servers keep theirs.
 */
export function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  return threads.reduce((sum, thread) => {
    const own = Number(readFileSync(`${thread}/schedstat`, 'latin1').split(' ')[0]) / 1e9;
    const children = readFileSync(`${thread}/children`, 'latin1').split(' ').filter(Boolean);
    return children.reduce((time, child) => time + processorTime(Number(child)), sum + own);
  }, 0);
}

function spawnProgram(
  { command, arguments: given, environment }: Program,
  stdio: StdioOptions,
): ChildProcess {
  return spawn(command, given, { env: { PATH: process.env['PATH'], ...environment }, stdio });
}

function nameOf(program: Program): string {
  return [program.command, ...program.arguments].join(' ').slice(0, 200);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(killing);
}
