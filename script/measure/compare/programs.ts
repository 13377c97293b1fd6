import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { print } from '../report.ts';
import type { Contestant } from './contestant.ts';

/** Programs that were made once stay here. */
const directory = join(import.meta.dirname, '..', '..', '..', 'dist', 'compare');

export interface FoundProgram {
  readonly path: string;
  readonly version: string;
  /** The version of Go that made it. */
  readonly built: string;
}

/** A program, or why it is missing. */
type Found = FoundProgram | { readonly missing: string };

/** Takes the program that is given, or looks for it, or lets Go make it. */
export function findProgram(contestant: Contestant): Found {
  const { variable, command, module } = contestant;
  const given = process.env[variable];
  if (given !== undefined && !isProgram(given)) throw new Error(`${variable}: ${given} is not a program`);
  const inPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  const path = given ?? [join(directory, command), ...inPath].find(isProgram) ?? install(contestant);
  if (path !== undefined) return { path, ...versionOf(contestant, path) };
  const unmade = module === undefined ? '' : `, and \`go install ${module}\` failed`;
  return { missing: `there was no program \`${command}\`${unmade}` };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Takes minutes; other work comes first. @returns the program; undefined when Go, or the module, can't be had */
function install({ name, command, module }: Contestant): string | undefined {
  if (module === undefined) return undefined;
  print(`Making ${name} by go install ${module}.`);
  mkdirSync(directory, { recursive: true });
  const { status } = spawnSync('nice', ['-n', '19', 'go', 'install', '-p=1', module], {
    // Outside of the project, whose folder is no module.
    cwd: directory,
    env: { ...process.env, GOBIN: directory },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0 ? join(directory, command) : undefined;
}

/** A program of `go install` has its version in what Go writes into it; others print it. */
function versionOf({ version }: Contestant, path: string) {
  const written = outputOf('go', 'version', '-m', path);
  const [, ofModule] = /^\s+mod\s+\S+\s+(v\S+)/m.exec(written) ?? [];
  const printed = /v?\d+\.\d+\.\d+\S*/.exec(outputOf(path, ...version))?.[0];
  return { version: ofModule ?? printed ?? 'unknown', built: /: (go\S+)/.exec(written)?.[1] ?? 'unknown' };
}

function outputOf(command: string, ...parameters: readonly string[]): string {
  return spawnSync(command, parameters, { encoding: 'utf8', timeout: 10_000 }).stdout ?? '';
}
