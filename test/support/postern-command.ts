import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { programEnvironment } from './program-environment.ts';
import { projectRoot } from './start-gateway.ts';

export interface CommandEnd {
  /** Null when it was killed. */
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface CommandOptions {
  readonly input?: string;
  readonly environment?: Record<string, string>;
  /** Modules that are loaded before the command. */
  readonly load?: readonly string[];
}

export const environmentOf = (directory: string) => ({
  SERVICE_CONFIG_DIR: directory,
  SERVICE_TRUSTED_HEADERS_FILE: join(projectRoot, 'proxy_trusted_headers.conf'),
});

/** Runs the postern command on a configuration directory. */
export function postern(
  directory: string,
  args: readonly string[],
  { environment = {}, ...options }: CommandOptions = {},
): Promise<CommandEnd> {
  return runCommand(args, { ...options, environment: { ...environmentOf(directory), ...environment } });
}

/** Runs the postern command, which gets all its settings from the environment. */
export async function runCommand(
  args: readonly string[],
  { input = '', environment = {}, load = [] }: CommandOptions = {},
): Promise<CommandEnd> {
  const child = spawn(
    process.execPath,
    [...load.flatMap((file) => ['--import', file]), join(projectRoot, 'dist', 'postern.js'), ...args],
    { env: { ...programEnvironment(), ...environment } },
  );
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  child.stdin.on('error', () => {}).end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output, errors };
}

/** The same, of a command that must succeed. @returns what it printed */
export async function outputOf(
  directory: string,
  args: readonly string[],
  options?: CommandOptions,
): Promise<string> {
  const { status, output, errors } = await postern(directory, args, options);
  if (status !== 0) throw new Error(`postern ${args.join(' ')}: ${errors}`);
  return output;
}
