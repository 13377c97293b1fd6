import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { isAlias, isMap, isScalar, type Document, type YAMLMap } from 'yaml';
import { AppError } from '../errors.ts';
import { keepApplied, readApplied } from './applied-text.ts';
import { readText } from './read-file.ts';
import { prepareText, type Disk, type PreparedText } from './replace-file.ts';
import type { FileFirst, StoreFirst } from './write-orders.ts';
import { flattenMerge, parseYaml } from './yaml.ts';

type Edit = (document: Document) => void;

/** Edits config.yml in place: comments and everything else stay. */
export interface ConfigurationFile {
  /**
   * Writes and applies a change, one after the other, each in short steps, so that no decision waits for the whole of it. Where the store
   * gets something too, the transaction that writes it calls this last.
   * @param edit called again when someone else has changed the file in the meantime
   * @throws AppError `configuration_read_only`, or what `check` throws; the file is then unchanged
   */
  change(which: FileFirst, edit: Edit): Promise<void>;
  /**
   * Writes a change beside the file, lets the store commit, and puts the text in the place of the file.
   * @returns what `commit` returned, and why the file could not be changed after that
   * @throws as `change`, and what `commit` throws; the file is then unchanged
   */
  changeAfter<T>(which: StoreFirst, edit: Edit, store: StoreTurn<T>): Promise<Committed<T>>;
  /** Writes nothing. @throws as `change`, when the file could not be read or would not be valid */
  check(edit: Edit): void;
}

/** How the store takes its turn in a change that is the store's first. */
export interface StoreTurn<T> {
  /** Changes the store. @param prepare the transaction calls it last: what it throws undoes the transaction */
  readonly commit: (prepare: () => Promise<void>) => Promise<T>;
  /** Runs `put` while no other process writes config.yml: in a transaction of its own. */
  readonly alone: (put: () => Promise<void>) => Promise<void>;
}

/** A change that the store has. */
export interface Committed<T> {
  readonly result: T;
  /** Why config.yml still has what was to go. Absent when it is gone. */
  readonly left?: unknown;
}

/**
 * Checks a new text of config.yml.
 * @param previous the text of the file that was edited; `undefined` if there is no file
 * @returns what to do once the text is written
 * @throws ConfigurationError when the text is not a valid configuration, AppError when it must not be written
 */
export type CheckConfiguration = (text: string, previous: string | undefined) => () => void;

/** A change that is written beside the file, and the steps that are left. */
interface PreparedChange extends Pick<PreparedText, 'sync' | 'discard'> {
  /** Puts it in its place and applies it. @returns false when someone else has written since */
  replace(): Promise<boolean>;
}

export function createConfigurationFile(
  directory: string,
  check: CheckConfiguration,
  disk?: Disk,
): ConfigurationFile {
  const file = join(directory, 'config.yml');
  const prepare = async (edit: Edit): Promise<PreparedChange> => {
    const previous = readPresent(file);
    const text = edited(previous, edit);
    await nextTurn();
    const onWritten = check(text, previous);
    const { replace, sync, discard } = await prepareText(file, text, { ...(disk && { disk }) });
    const isSame = () => readPresent(file) === previous;
    let synced: Promise<void> | undefined;
    const replaceAndSync = async () => {
      if (!(await replace(isSame))) return false;
      synced = sync();
      // `sync` throws it: the text is in its place.
      await synced.catch(() => undefined);
      return true;
    };
    return {
      discard,
      replace: async () => {
        const isReplaced = await whileWriting(directory, previous, text, replaceAndSync);
        // A later text of someone else is applied with the next reload, or was already.
        if (isReplaced && readPresent(file) === text) onWritten();
        return isReplaced;
      },
      sync: async () => synced,
    };
  };
  /** Prepares again what someone else has overtaken. */
  const put = async (edit: Edit, first: PreparedChange): Promise<PreparedChange> => {
    let prepared = first;
    for (let attempt = 1; !(await prepared.replace()); attempt += 1) {
      if (attempt === mostAttempts) {
        const cause = new Error('config.yml is being changed again and again');
        throw new AppError('configuration_read_only', { cause });
      }
      prepared = await prepare(edit);
    }
    return prepared;
  };
  /** @returns why the file stays as it is */
  const finish = async (
    edit: Edit,
    prepared: PreparedChange,
    alone: StoreTurn<unknown>['alone'],
  ): Promise<{ readonly left?: unknown }> => {
    let written: PreparedChange | undefined;
    try {
      await alone(async () => {
        written = await oneAtATime(() => put(edit, prepared));
      });
    } catch (error) {
      if (written === undefined) {
        await prepared.discard();
        return { left: error };
      }
    }
    // A power failure may bring the previous text back: with a name that no one has.
    await written?.sync().catch(() => undefined);
    return {};
  };
  return {
    change: (_, edit) =>
      oneAtATime(async () => {
        const { sync } = await put(edit, await prepare(edit));
        await sync();
      }),
    changeAfter: async (_, edit, { commit, alone }) => {
      let prepared: PreparedChange | undefined;
      let result;
      try {
        result = await commit(async () => {
          prepared = await oneAtATime(() => prepare(edit));
        });
      } catch (error) {
        await prepared?.discard();
        throw error;
      }
      return { result, ...(prepared && (await finish(edit, prepared, alone))) };
    },
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

function edited(text: string | undefined, edit: Edit): string {
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
