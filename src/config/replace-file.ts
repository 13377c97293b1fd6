import { constants, lstatSync, realpathSync, rmSync, statSync } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../errors.ts';
import { requireKind } from './read-file.ts';

/** The system's calls that change what is on the disk. */
export interface Disk {
  readonly open: typeof open;
  readonly rename: typeof rename;
  readonly rmSync: typeof rmSync;
}

/** A text that stands beside the file that it will replace, synced. Nothing counts yet. */
export interface PreparedText {
  /**
   * Puts the text in the place of the file: readers see the old text or the new one.
   * @param isSame whether the file is still the one that the text was made of; asked right before
   * @returns false if it is not, or if another process has written its own text beside the file since; then nothing was replaced
   * @throws AppError `configuration_read_only`; then nothing was replaced
   */
  replace(isSame: () => boolean): Promise<boolean>;
  /** Waits until the new text outlasts a power failure. @throws AppError `configuration_read_only` */
  sync(): Promise<void>;
  /** Leaves the file as it is, and nothing beside it. After `replace` it does nothing. */
  discard(): Promise<void>;
}

/** A link, pipe or directory that someone left there is refused: a link could lead to any file of the user who writes. */
const newFile = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Writes a text beside the file that it will replace, and syncs it: a disk that is full refuses it here. A symbolic link stays one.
 * @param newMode of a file that is not there yet
 * @throws AppError `configuration_read_only`; then nothing is beside the file
 */
export async function prepareText(
  file: string,
  text: string,
  {
    newMode = 0o600,
    disk = { open, rename, rmSync },
  }: { readonly newMode?: number; readonly disk?: Disk } = {},
): Promise<PreparedText> {
  return readOnlyAs(async () => {
    const { path, mode, owner } = whatIsThere(file, newMode);
    const beside = `${path}.new`;
    const former = statOf(beside);
    if (former?.isSymbolicLink() === false) {
      requireKind(beside, former);
      disk.rmSync(beside);
    }
    const handle = await disk.open(beside, newFile, 0o600);
    // The handle stays open, so that no other file gets its number. Another process, which takes its turn before this text is in its
    // place, replaces what stands beside.
    const own = await handle.stat();
    const isThere = () => statOf(beside)?.ino === own.ino;
    let isOver = false;
    const discard = async () => {
      if (isOver) return;
      isOver = true;
      if (isThere()) disk.rmSync(beside, { force: true });
      await handle.close();
    };
    try {
      await writeWhole(handle, text, mode, owner);
    } catch (error) {
      await discard();
      throw error;
    }
    return {
      replace: (isSame) =>
        readOnlyAs(async () => {
          if (!isSame() || !isThere()) {
            await discard();
            return false;
          }
          try {
            // Not at once: it may wait for what others write to the disk.
            await disk.rename(beside, path);
          } catch (error) {
            await discard();
            throw error;
          }
          isOver = true;
          await handle.close();
          return true;
        }),
      sync: () => readOnlyAs(() => syncDirectory(dirname(path), disk)),
      discard,
    };
  });
}

/**
 * Replaces the file atomically: readers see the old text or the new one, after a crash too.
 * @param isSame as for `PreparedText.replace`. @param newMode as for `prepareText`
 * @returns as `PreparedText.replace`. @throws AppError `configuration_read_only`
 */
export async function replaceFile(
  file: string,
  text: string,
  isSame: () => boolean,
  newMode?: number,
): Promise<boolean> {
  const prepared = await prepareText(file, text, newMode === undefined ? {} : { newMode });
  const isReplaced = await prepared.replace(isSame);
  if (isReplaced) await prepared.sync();
  return isReplaced;
}

async function writeWhole(handle: FileHandle, text: string, mode: number, owner: Owner): Promise<void> {
  await handle.chmod(mode);
  // The command may run as root, but the gate has to read the file.
  if (process.getuid?.() === 0) await handle.chown(owner.uid, owner.gid);
  // It writes everything or throws; a single write may write less on a disk that is nearly full.
  await handle.writeFile(text);
  await handle.sync();
}

async function syncDirectory(path: string, disk: Disk): Promise<void> {
  const directory = await disk.open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function readOnlyAs<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AppError('configuration_read_only', { cause: error });
  }
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** A new file gets the owner of its directory. */
function whatIsThere(
  file: string,
  newMode: number,
): { readonly path: string; readonly mode: number; readonly owner: Owner } {
  try {
    const path = realpathSync(file);
    const owner = statSync(path);
    return { path, mode: owner.mode & 0o777, owner };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { path: file, mode: newMode, owner: statSync(dirname(file)) };
  }
}

/** @returns `undefined` for what is not there. A link stays one. */
function statOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}
