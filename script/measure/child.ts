import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listening } from '../../test/support/ports.ts';
import { stoppedAtEnd } from './running.ts';

export interface Program {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningProgram {
  readonly pid: number;
  /** Its output up to the line at which it is ready. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** A script of this directory as a program. */
export function measureScript(file: string, ...parameters: readonly string[]): Program {
  return { command: process.execPath, arguments: [join(import.meta.dirname, file), ...parameters] };
}

/** @param isReady called with each line of output. @throws when the program ends before it is ready */
export async function startProgram(
  program: Program,
  isReady: (line: string) => boolean,
): Promise<RunningProgram> {
  const child = spawnProgram(program);
  const stop = stoppedAtEnd(() => stopChild(child));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (!isReady(line)) continue;
    child.stdout.resume();
    return { pid: child.pid ?? 0, lines, stop };
  }
  throw new Error(`${program.arguments.join(' ')} ended: ${lines.join('\n')}`);
}

/** Runs a program to its end. @returns its output. @throws when it fails */
export async function runProgram(program: Program): Promise<string> {
  const child = spawnProgram(program);
  const stop = stoppedAtEnd(() => stopChild(child));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  await stop();
  if (code !== 0) throw new Error(`${program.command} ${program.arguments.join(' ')}: ${output}`);
  return output;
}

/**
 * Starts a program that is ready when it listens. Its output goes to a file.
 * @throws with that output when the program ends before
 */
export async function startServer(
  program: Program,
  address: string,
  log: string,
): Promise<Omit<RunningProgram, 'lines'>> {
  const output = openSync(log, 'w');
  const child = spawn(program.command, program.arguments, {
    env: environmentOf(program),
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const stop = stoppedAtEnd(() => stopChild(child));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${program.command} ended: ${readFileSync(log, 'utf8')}`);
  });
  await Promise.race([listening(address), ended]);
  // From here on its end is noticed by those who ask it.
  ended.catch(() => {});
  return { pid: child.pid ?? 0, stop };
}

function spawnProgram(program: Program) {
  return spawn(program.command, program.arguments, {
    env: environmentOf(program),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function environmentOf({ environment }: Program): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...environment };
}

/** Resident memory of a process, in MiB. */
export function residentMemory(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

/** Seconds of processor time that the threads of a process have taken. */
export function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'));
  return times.reduce((sum, time) => sum + Number(time.split(' ')[0]) / 1e9, 0);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(killTimer);
}
