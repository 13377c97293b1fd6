import { constants, realpathSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { isAlias, isMap, isScalar, type Document, type YAMLMap } from 'yaml';
import { AppError } from '../errors.ts';
import { keepApplied, readApplied } from './applied-text.ts';
import { readText } from './read-file.ts';
import { flattenMerge, parseYaml } from './yaml.ts';

/** Edits config.yml in place: comments and everything else stay. */
export interface ConfigurationFile {
  /**
   * One change after the other, each in short steps, so that no decision waits for the whole of it.
   * @param edit called again when someone else has changed the file in the meantime
   * @throws AppError `configuration_read_only`, or what `check` throws; the file is then unchanged
   */
  change(edit: (document: Document) => void): Promise<void>;
  /** Writes nothing. @throws as `change`, when the file could not be read or would not be valid */
  check(edit: (document: Document) => void): void;
}

/**
 * Checks a new text of config.yml.
 * @param previous the text of the file that was edited; `undefined` if there is no file
 * @returns what to do once the text is written
 * @throws ConfigurationError when the text is not a valid configuration, AppError when it must not be written
 */
export type CheckConfiguration = (text: string, previous: string | undefined) => () => void;

export function createConfigurationFile(directory: string, check: CheckConfiguration): ConfigurationFile {
  const file = join(directory, 'config.yml');
  const changeOnce = async (edit: (document: Document) => void): Promise<boolean> => {
    const previous = readPresent(file);
    const text = edited(previous, edit);
    await nextTurn();
    const onWritten = check(text, previous);
    const isReplaced = await whileWriting(directory, previous, text, () =>
      replaceFile(file, text, () => readPresent(file) === previous),
    );
    // A later text of someone else is applied with the next reload, or was already.
    if (isReplaced && readPresent(file) === text) onWritten();
    return isReplaced;
  };
  return {
    change: (edit) =>
      oneAtATime(async () => {
        for (let attempt = 0; attempt < mostAttempts; attempt += 1) if (await changeOnce(edit)) return;
        const cause = new Error('config.yml is being changed again and again');
        throw new AppError('configuration_read_only', { cause });
      }),
    check: (edit) => {
      const previous = readPresent(file);
      check(edited(previous, edit), previous);
    },
  };
}

/**
 * Until config.yml is replaced, both texts are known as applied: whichever a crash leaves, the next start takes it.
 * @param previous undefined: there is no file, and one that is missing was not lost
 * @param write @returns whether the file is replaced
 */
export async function whileWriting(
  directory: string,
  previous: string | undefined,
  text: string,
  write: () => Promise<boolean>,
): Promise<boolean> {
  const applied = readApplied(directory);
  let isReplaced = false;
  if (previous !== undefined) await keepApplied(directory, [previous, text]);
  try {
    return (isReplaced = await write());
  } finally {
    if (isReplaced) await keepApplied(directory, [text]);
    else if (previous !== undefined) await keepApplied(directory, applied);
  }
}

/** One queue for the whole process: roles, the recorder's address and the house are written to one file. */
const oneAtATime = pLimit(1);
const mostAttempts = 3;

function edited(text: string | undefined, edit: (document: Document) => void): string {
  const document: Document = parseYaml(text ?? '');
  if (!isMap(document.contents)) document.contents = document.createNode({});
  edit(document);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** @returns the map at a path, with aliases resolved, and merge keys replaced by what they stand for; `undefined` if there is none */
export function mapAt(document: Document, path: readonly string[]): YAMLMap | undefined {
  let node: unknown = document.contents;
  for (const key of path)
    node = isMap(node) ? resolved(flat(node, document).get(key, true), document) : undefined;
  return isMap(node) ? flat(node, document) : undefined;
}

/** @returns the map at a path, created where there is nothing or null. @throws AppError when something else is there */
export function sectionAt(document: Document, path: readonly string[]): YAMLMap {
  let section = document.contents as YAMLMap;
  for (const key of path) {
    const child = resolved(flat(section, document).get(key, true), document);
    if (isMap(child)) {
      section = child;
    } else if (child === undefined || child === null || (isScalar(child) && child.value === null)) {
      const made = document.createNode({});
      section.set(key, made);
      section = made;
    } else {
      throw new AppError('configuration_read_only', { cause: new Error(`${key} is no map`) });
    }
  }
  return flat(section, document);
}

function flat(map: YAMLMap, document: Document): YAMLMap {
  flattenMerge(map, document);
  return map;
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

/** @returns undefined when there is no file */
function readPresent(file: string): string | undefined {
  try {
    return readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new AppError('configuration_read_only', { cause: error });
  }
}

/**
 * As `w`, but a link that someone else left there is refused: it could lead to any file of the user who writes. So is a pipe, which would
 * wait for a reader.
 */
const newFile =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Replaces the file atomically: readers see the old text or the new one, after a crash too. A symbolic link stays one.
 * @param isSame whether the file is still the one that the text was made of; asked right before it is replaced
 * @param newMode of a file that is not there yet
 * @returns false if it is not: nothing was replaced
 */
export async function replaceFile(
  file: string,
  text: string,
  isSame: () => boolean,
  newMode = 0o600,
): Promise<boolean> {
  try {
    const { path, mode, owner } = whatIsThere(file, newMode);
    const temporary = `${path}.new`;
    try {
      const handle = await open(temporary, newFile, 0o600);
      try {
        await handle.chmod(mode);
        // The command may run as root, but the gate has to read the file.
        if (process.getuid?.() === 0) await handle.chown(owner.uid, owner.gid);
        // It writes everything or throws; a single write may write less on a disk that is nearly full.
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (!isSame()) {
        rmSync(temporary);
        return false;
      }
      // Not at once: it may wait for what others write to the disk.
      await rename(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    const directory = await open(dirname(path), 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
    return true;
  } catch (error) {
    throw new AppError('configuration_read_only', { cause: error });
  }
}

interface FilePlace {
  readonly path: string;
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
}

/** A new file gets the owner of its directory. */
function whatIsThere(file: string, newMode: number): FilePlace {
  try {
    const path = realpathSync(file);
    const owner = statSync(path);
    return { path, mode: owner.mode & 0o777, owner };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { path: file, mode: newMode, owner: statSync(dirname(file)) };
  }
}
