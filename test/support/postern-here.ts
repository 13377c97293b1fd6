import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { runPostern } from '../../src/cli/run-postern.ts';
import { environmentOf, type CommandEnd, type CommandOptions } from './postern-command.ts';
import { projectRoot } from './start-gateway.ts';

/** Runs the postern command in this process, likewise, on a configuration directory. */
export function postern(
  directory: string,
  args: readonly string[],
  { input = '' }: Pick<CommandOptions, 'input'> = {},
): Promise<CommandEnd> {
  return runCommand(args, { input, environment: environmentOf(directory) });
}

/**
 * Runs the postern command in this process, one at a time, which saves most of what a process of its own costs. It is
 * for what a command prints and does. Tests of the process use postern-command.ts: terminals, signals, broken pipes.
 */
export async function runCommand(
  args: readonly string[],
  { input = '', environment = {} }: Omit<CommandOptions, 'load'> = {},
): Promise<CommandEnd> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const { exitCode } = process;
  process.exitCode = undefined;
  let ended: number | undefined;
  const status = () => ended ?? Number(process.exitCode ?? 0);
  const stubs = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never),
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(stdout as never),
    vi.spyOn(process, 'stderr', 'get').mockReturnValue(stderr as never),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      ended ??= Number(code);
      // A process prints nothing after its end.
      for (const stream of [stdout, stderr]) stream.end().write = () => true;
      throw new Error('the process has ended');
    }),
  ];
  try {
    const said = Promise.all([text(stdout), text(stderr)]);
    await runPostern({ environment, root: projectRoot }, args);
    for (const stream of [stdout, stderr]) stream.end();
    const [output, errors] = await said;
    return { status: status(), output, errors };
  } finally {
    for (const stub of stubs) stub.mockRestore();
    process.exitCode = exitCode;
  }
}
