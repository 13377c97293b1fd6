import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { acceptConfiguration } from '../config/applied-configuration.ts';
import { keepApplied } from '../config/applied-text.ts';
import { whileWriting } from '../config/configuration-file.ts';
import { giveToOwner } from '../config/own-files.ts';
import { replaceFile } from '../config/replace-file.ts';
import { readJson } from '../policy/json.ts';
import { distrustPostern } from './frigate-change.ts';
import { copyOf } from './frigate-directory.ts';
import { CannotAdopt, readFrigateFile } from './frigate-file.ts';
import type { Plan } from './plan.ts';
import { readText } from '../config/read-file.ts';

const journalSchema = v.object({
  /** Frigate's config.yml. */
  frigate: v.string(),
  /** Whether everything was written. */
  done: v.boolean(),
  /** Files that were made or changed, with the SHA-256 of what was written. */
  files: v.array(v.object({ path: v.string(), made: v.boolean(), hash: v.string() })),
  users: v.array(v.object({ username: v.string(), role: v.string(), hash: v.string() })),
});

/** Lists the changes of a run, so that they can be undone. It has no secret. */
export type Journal = v.InferOutput<typeof journalSchema>;

const journalPath = (directory: string) => join(directory, '.adopted.json');

/** @returns undefined when nothing was adopted. @throws CannotAdopt */
export function readJournal(directory: string): Journal | undefined {
  const path = journalPath(directory);
  const text = readOrNone(path);
  if (text === undefined) return undefined;
  const parsed = v.safeParse(journalSchema, readJson(text));
  if (!parsed.success) throw new CannotAdopt(`${path} cannot be read: delete it, if nothing is to be undone`);
  return parsed.output;
}

/** @returns the SHA-256 of a text or a password hash */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** @returns the files of a plan that are not as planned yet */
export function filesToWrite({ files }: Plan): Plan['files'] {
  return files.filter(({ path, text }) => readOrNone(path) !== text);
}

/** @throws CannotAdopt when one of the files could not be written */
export function requireWritable(files: Plan['files'], directory: string): void {
  const first = nearestDirectory(directory);
  for (const place of new Set([first, ...files.map(({ path }) => nearestDirectory(dirname(path)))]))
    try {
      accessSync(place, constants.W_OK | constants.X_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CannotAdopt(`${place} cannot be written to (${code}): run adopt as a user who can`, {
        cause: error,
      });
    }
}

function nearestDirectory(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestDirectory(dirname(path));
}

/**
 * Writes the files of a plan, each as a whole. The journal is written first: a run that is killed is finished or undone by the next one.
 * @throws CannotAdopt
 */
export async function writeFiles(plan: Plan): Promise<void> {
  const { own, frigate, people } = plan;
  // The plan may have waited for an answer.
  const ownFile = join(own.directory, 'config.yml');
  const read = new Map([
    [frigate.path, frigate.text],
    [ownFile, own.text],
  ]);
  const isAsRead = (path: string) => !read.has(path) || readOrNone(path) === read.get(path);
  for (const path of read.keys()) if (!isAsRead(path)) throw changedMeanwhile(path);
  const due = filesToWrite(plan);
  const link = due
    .flatMap(({ path, copy }) => (copy === undefined ? [path] : [path, copy]))
    .find((path) => !read.has(path) && isLink(path));
  if (link !== undefined)
    throw new CannotAdopt(`${link} is a symbolic link, which adopt did not make: delete it`);
  mkdirSync(own.directory, { recursive: true, mode: 0o700 });
  const earlier = readJournal(own.directory);
  const files = new Map(earlier?.files.map((entry) => [entry.path, entry]));
  for (const { path, text } of due)
    files.set(path, { path, made: files.get(path)?.made ?? !existsSync(path), hash: hashOf(text) });
  const users = new Map(earlier?.users.map((user) => [user.username, user]));
  for (const { username, role, passwordHash } of people.imported)
    users.set(username, { username, role, hash: hashOf(passwordHash) });
  await writeJournal(own.directory, {
    frigate: frigate.path,
    done: false,
    files: [...files.values()],
    users: [...users.values()],
  });
  for (const { path, text, copy, mode } of due) {
    const present = readOrNone(path);
    if (present !== undefined && copy !== undefined && !existsSync(copy)) await write(copy, present);
    if (mkdirSync(dirname(path), { recursive: true, mode: 0o750 }) !== undefined)
      giveToOwner(own.directory, dirname(path));
    const replace = () => write(path, text, isAsRead, mode).then(() => true);
    if (path === ownFile) await whileWriting(own.directory, present, text, replace);
    else await replace();
  }
  const beside = `${frigate.path}.postern`;
  if (plan.frigateFile.isInUse && files.has(beside)) rmSync(beside, { force: true });
}

/** Notes that everything is done. */
export async function closeJournal(directory: string): Promise<void> {
  const journal = readJournal(directory);
  if (journal !== undefined) await writeJournal(directory, { ...journal, done: true });
}

function writeJournal(directory: string, journal: Journal): Promise<void> {
  return write(journalPath(directory), `${JSON.stringify(journal, undefined, 2)}\n`);
}

/**
 * Puts the files back. One that was changed since stays beside its old place, so that nothing is lost.
 * @returns what was done, in lines
 */
export async function restoreFiles(
  directory: string,
  { files, frigate }: Journal,
): Promise<readonly string[]> {
  const lines: string[] = [];
  // The text from before adopt may be the beginning of the present one, or none.
  await keepApplied(directory, []);
  const original = isLink(copyOf(frigate)) ? undefined : readOrNone(copyOf(frigate));
  for (const { path, made, hash } of files.toReversed()) {
    // A run that was killed while it wrote left this.
    rmSync(`${path}.new`, { force: true });
    const present = readOrNone(path);
    if (present === undefined || path === frigate || path === copyOf(frigate)) continue;
    if (dirname(path) !== directory && [path, copyOf(path), `${path}.undone`].some(isLink)) {
      lines.push(`left ${path}, beside which there is a symbolic link that adopt did not make`);
      continue;
    }
    const isSame = hashOf(present) === hash;
    const copy = readOrNone(copyOf(path));
    if (made && isSame) {
      rmSync(path);
      lines.push(`deleted ${path}`);
    } else if (!isSame) {
      await write(`${path}.undone`, present);
      if (made) rmSync(path);
      else if (copy !== undefined) await write(path, copy);
      lines.push(
        `${made ? 'took away' : 'put back'} ${path}, which was changed since: that text is in ${path}.undone`,
      );
    } else if (copy !== undefined) {
      await write(path, copy);
      lines.push(`put back ${path}`);
    }
    if (!made && copy !== undefined) rmSync(copyOf(path));
  }
  await acceptConfiguration(directory).catch(() => undefined);
  const line = await restoreFrigate(frigate, original);
  removeJournal(directory);
  return [...lines, ...line];
}

/** Also one that a killed run had only begun to write. */
export function removeJournal(directory: string): void {
  for (const path of [journalPath(directory), `${journalPath(directory)}.new`]) rmSync(path, { force: true });
}

async function restoreFrigate(path: string, original: string | undefined): Promise<readonly string[]> {
  const present = readOrNone(path);
  if (present === undefined || original === undefined) return [];
  if (present === original || readFrigateFile(present, path).signIn !== 'postern') {
    rmSync(copyOf(path));
    return [];
  }
  const restored = distrustPostern(present, original);
  await write(path, restored);
  if (restored !== original)
    return [
      `put the sign-in of ${path} back, and left what was changed since; the text before Postern is in ${copyOf(path)}`,
    ];
  rmSync(copyOf(path));
  return [`put back ${path}`];
}

/** Atomically; a file keeps its mode. @param mode of a new one; by default it is readable only by its owner */
async function write(
  path: string,
  text: string,
  isAsRead: (path: string) => boolean = () => true,
  mode?: number,
) {
  let isWritten;
  try {
    isWritten = await replaceFile(path, text, () => isAsRead(path), mode);
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    throw new CannotAdopt(`${path} cannot be written (${code}); run adopt again to finish, or adopt --undo`, {
      cause: error,
    });
  }
  if (!isWritten) throw changedMeanwhile(path);
}

function changedMeanwhile(path: string): CannotAdopt {
  return new CannotAdopt(`${path} was changed meanwhile: run adopt again`);
}

/** In Frigate's directory, its container can leave one that leads to any file of the host. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function readOrNone(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return readText(path);
}
