import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';
import { AppError } from '../errors.ts';

/** Edits config.yml in place: comments and everything else stay. */
export interface ConfigurationFile {
  /** @throws AppError `configuration_read_only`, or what `check` throws; the file is then unchanged */
  change(edit: (document: Document) => void): void;
  /** Writes nothing. @throws as `change`, when the file could not be read or would not be valid */
  check(edit: (document: Document) => void): void;
}

/**
 * @param check gets the new text, and throws when it is not a valid configuration
 * @returns what to do once the text is written
 */
export function createConfigurationFile(
  directory: string,
  check: (text: string) => () => void,
): ConfigurationFile {
  const file = join(directory, 'config.yml');
  const prepare = (edit: (document: Document) => void) => {
    const document: Document = parseDocument(readText(file));
    if (!isMap(document.contents)) document.contents = document.createNode({});
    edit(document);
    const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
    return { text, onWritten: check(text) };
  };
  return {
    change: (edit) => {
      const { text, onWritten } = prepare(edit);
      replaceFile(file, text);
      onWritten();
    },
    check: (edit) => void prepare(edit),
  };
}

/** @returns the map at a path, with aliases resolved; undefined when there is none */
export function mapAt(document: Document, path: readonly string[]): YAMLMap | undefined {
  let node: unknown = document.contents;
  for (const key of path) node = isMap(node) ? resolved(node.get(key, true), document) : undefined;
  return isMap(node) ? node : undefined;
}

/** @returns the map at a path, created where there is nothing or null. @throws AppError when something else is there */
export function sectionAt(document: Document, path: readonly string[]): YAMLMap {
  let section = document.contents as YAMLMap;
  for (const key of path) {
    const child = resolved(section.get(key, true), document);
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
  return section;
}

/**
 * Replaces each remaining alias of an anchor that is about to leave by a copy of the anchor's value.
 * @param leaving still in the document
 */
export function releaseAnchors(document: Document, leaving: unknown): void {
  if (!isNode(leaving)) return;
  const anchored = new Set<Node>();
  visit(leaving, {
    Node: (_, node) => void (isAlias(node) || node.anchor === undefined || anchored.add(node)),
  });
  if (anchored.size === 0) return;
  visit(document, (_, node) => {
    if (node === leaving) return visit.SKIP;
    const source = isAlias(node) ? node.resolve(document) : undefined;
    if (source === undefined || !anchored.has(source)) return undefined;
    const copy = source.clone() as Exclude<typeof source, undefined>;
    visit(copy, { Node: (__, part) => void (isAlias(part) || delete part.anchor) });
    return copy;
  });
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new AppError('configuration_read_only', { cause: error });
  }
}

/** Replaces the file atomically: readers see the old text or the new one, after a crash too. A symbolic link stays one. */
function replaceFile(file: string, text: string): void {
  try {
    const { path, mode, owner } = whatIsThere(file);
    const temporary = `${path}.new`;
    try {
      const descriptor = openSync(temporary, 'w', 0o600);
      try {
        fchmodSync(descriptor, mode);
        // The command may run as root, but the gate has to read the file.
        if (process.getuid?.() === 0) fchownSync(descriptor, owner.uid, owner.gid);
        // `writeFileSync` writes everything or throws; a single write may write less on a disk that is nearly full.
        writeFileSync(descriptor, text);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    const directory = openSync(dirname(path), 'r');
    fsyncSync(directory);
    closeSync(directory);
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
function whatIsThere(file: string): FilePlace {
  try {
    const path = realpathSync(file);
    const owner = statSync(path);
    return { path, mode: owner.mode & 0o777, owner };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { path: file, mode: 0o600, owner: statSync(dirname(file)) };
  }
}
