import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { appliedFile, keepApplied, readApplied } from './applied-text.ts';
import { lossOf } from './lost-configuration.ts';
import { ConfigurationError } from './problem.ts';
import { readBytes } from './read-file.ts';

/**
 * @param running text of the configuration that is in effect; undefined: there is none
 * @param found text of config.yml, valid by itself; undefined: there is no file
 * @throws ConfigurationError when the file was cut off, or otherwise lost, since Postern applied it
 */
export function requireWhole(
  directory: string,
  running: string | undefined,
  found: string | undefined,
  at: 'start' | 'reload',
): void {
  const applied = [...readApplied(directory), ...(running === undefined ? [] : [running])];
  const problem = lossOf(applied, found, at)?.problem;
  if (problem !== undefined) throw new ConfigurationError([problem]);
}

/**
 * Keeps a text that is in effect now. A text that someone has replaced meanwhile is left to who applies it.
 * @returns the fault, if it couldn't be written
 */
export async function keepInEffect(directory: string, text: string | undefined): Promise<string | undefined> {
  if (readText(directory) !== text) return undefined;
  return keepApplied(directory, text === undefined ? [] : [text]);
}

/**
 * Accepts config.yml as it is now, whatever it lost: the next start or reload takes it. A running gate reloads it.
 * @throws Error when it can't be written down
 */
export async function acceptConfiguration(directory: string): Promise<void> {
  const text = readText(directory);
  const fault = await keepApplied(directory, text === undefined ? [] : [text]);
  if (fault !== undefined) throw new Error(`could not write ${appliedFile(directory)} (${fault})`);
  const now = new Date();
  // A file of another user may not be touched; then the next change, SIGHUP or start takes it.
  await utimes(join(directory, 'config.yml'), now, now).catch(() => undefined);
}

function readText(directory: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readBytes(join(directory, 'config.yml')));
  } catch {
    return undefined;
  }
}
