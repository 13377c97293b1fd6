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

/** config.yml, changed in place: comments and everything else stay as they are. */
export interface ConfigurationFile {
  /** @throws AppError `configuration_read_only`, or what `check` throws; the file is then as it was */
  change(edit: (document: Document) => void): void;
}

/**
 * @param check told the text that is to be written; throws when it is no good configuration
 * @returns what to do once it is written
 */
export function createConfigurationFile(
  directory: string,
  check: (text: string) => () => void,
): ConfigurationFile {
  const file = join(directory, 'config.yml');
  return {
    change: (edit) => {
      const document: Document = parseDocument(readText(file));
      if (!isMap(document.contents)) document.contents = document.createNode({});
      edit(document);
      const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
      const onWritten = check(text);
      replaceFile(file, text);
      onWritten();
    },
  };
}

/** @returns the map at a path, wherever an alias says that it is; undefined when there is none */
export function mapAt(document: Document, path: readonly string[]): YAMLMap | undefined {
  let node: unknown = document.contents;
  for (const key of path) node = isMap(node) ? resolved(node.get(key, true), document) : undefined;
  return isMap(node) ? node : undefined;
}

/** @returns the map at a path, made where there is nothing or null. @throws AppError when something else is there */
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
 * What goes out of a document may have anchors: each alias of one that stays gets a copy of what it stood for.
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

/** Whoever reads the file, after a crash too, reads the old text or the new one. A link goes on pointing at it. */
function replaceFile(file: string, text: string): void {
  try {
    const { path, mode, owner } = whatIsThere(file);
    const temporary = `${path}.new`;
    try {
      const descriptor = openSync(temporary, 'w', 0o600);
      try {
        fchmodSync(descriptor, mode);
        // The command may run as root, and the gate has to read the file.
        if (process.getuid?.() === 0) fchownSync(descriptor, owner.uid, owner.gid);
        // All of it, or an error: one write alone may write less on a disk that is nearly full.
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

/** A new file belongs to whom its directory belongs to. */
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
