import { constants, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { readBytes } from './read-file.ts';

/**
 * `config.yml.applied` keeps the text of config.yml that Postern applied last, so that the next start or reload notices one that was cut
 * off. While Postern or a command writes config.yml, it holds the text before and the text after.
 */
export function appliedFile(directory: string): string {
  return join(directory, 'config.yml.applied');
}

/** No valid configuration has one. */
const between = '\f';

/** @returns the texts that the next start or reload takes as they are; none where nothing is known */
export function readApplied(directory: string): readonly string[] {
  const file = appliedFile(directory);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readBytes(file)).split(between);
  } catch {
    return [];
  }
}

/**
 * Replaces the file atomically. Where it can't be written it is removed: a later start must not compare with an earlier text.
 * @param texts none: there is no config.yml
 * @returns the fault, if it couldn't be written
 */
export async function keepApplied(directory: string, texts: readonly string[]): Promise<string | undefined> {
  const file = appliedFile(directory);
  if (texts.length > 0) {
    try {
      await writeWhole(directory, file, texts.join(between));
      return undefined;
    } catch (error) {
      removeQuietly(`${file}.new`);
      removeQuietly(file);
      return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    }
  }
  removeQuietly(file);
  return undefined;
}

/** Nobody else wrote it, so nothing that stands in its place is followed or kept. */
async function writeWhole(directory: string, file: string, text: string): Promise<void> {
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true });
  const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await handle.chmod(0o600);
    if (process.getuid?.() === 0) {
      const { uid, gid } = statSync(directory);
      await handle.chown(uid, gid);
    }
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  const place = await open(directory, 'r');
  try {
    await place.sync();
  } finally {
    await place.close();
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A directory that can't be written keeps what it has.
  }
}
