import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type Document } from 'yaml';
import { mapAt, sectionAt } from '../config/configuration-file.ts';
import { parseYaml, releaseAnchors } from '../config/yaml.ts';
import { isPlainObject } from '../policy/json.ts';

/** Sets a key of a YAML file, or deletes it where the value is undefined. */
export interface Edit {
  readonly path: readonly [section: string, ...keys: string[]];
  readonly value: unknown;
}

/**
 * Changes keys of a YAML text. Everything outside the sections that change stays as it is, byte by byte, unless aliases lead into or out of
 * them: then the whole text is laid out again, with its comments.
 * @throws Error when a section is no map
 */
export function editSections(text: string, edits: readonly Edit[]): string {
  const due = edits.filter(({ path, value }) => !isDeepStrictEqual(valueAt(contentOf(text), path), value));
  if (due.length === 0) return text;
  const expected = contentOf(text);
  for (const edit of due) setIn(expected, edit);
  const isExpected = (edited: string) => {
    try {
      return isDeepStrictEqual(contentOf(edited), asJson(expected));
    } catch {
      return false;
    }
  };
  const inPlace = editInPlace(text, due);
  if (inPlace !== undefined && isExpected(inPlace)) return inPlace;
  const whole = written(text, due);
  if (!isExpected(whole)) throw new Error('the file has a form in which its keys cannot be changed');
  return whole;
}

/** @returns the content of a valid YAML text that is a map or empty */
export function contentOf(text: string): Record<string, unknown> {
  const content: unknown = parseYaml(text).toJS({ maxAliasCount: -1 });
  // Copied, since aliases of one anchor are the same object.
  return isPlainObject(content) ? asJson(content) : {};
}

/** -0 is 0 then. */
function asJson(content: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(content)) as Record<string, unknown>;
}

export function valueAt(content: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    content,
  );
}

function setIn(content: Record<string, unknown>, { path, value }: Edit): void {
  const key = path.at(-1) ?? '';
  let parent = content;
  for (const step of path.slice(0, -1)) {
    const child = parent[step];
    if (isPlainObject(child)) parent = child;
    else if (value === undefined) return;
    else parent = parent[step] = {} as Record<string, unknown>;
  }
  if (value === undefined) delete parent[key];
  else parent[key] = value;
}

function written(text: string, edits: readonly Edit[]): string {
  const document: Document = parseYaml(text);
  if (!isMap(document.contents)) document.contents = document.createNode({});
  for (const edit of edits) applyTo(document, edit);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function applyTo(document: Document, { path, value }: Edit): void {
  const [parents, key] = [path.slice(0, -1), path.at(-1) ?? ''];
  if (value === undefined) {
    const parent = mapAt(document, parents);
    releaseAnchors(document, parent?.get(key, true));
    parent?.delete(key);
    return;
  }
  const section = sectionAt(document, parents);
  const node: unknown = section.get(key, true);
  releaseAnchors(document, node);
  // A comment beside a value stays beside the new one.
  if (isScalar(node) && node.anchor === undefined && typeof value !== 'object') {
    node.value = value;
    if (node.type !== 'PLAIN') delete node.type;
  } else section.set(key, document.createNode(value, { flow: Array.isArray(value) }));
}

/** @returns undefined where the sections cannot be taken out of the text */
function editInPlace(text: string, edits: readonly Edit[]): string | undefined {
  let edited = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const isWindows = /\r\n/.test(text);
  try {
    for (const [section, own] of Map.groupBy(edits, ({ path }) => path[0])) {
      const [from, to] = placeOf(edited, section) ?? [edited.length, edited.length];
      const lines = sectionWritten(edited.slice(from, to).replaceAll('\r\n', '\n'), own);
      edited =
        edited.slice(0, from) + (isWindows ? lines.replaceAll('\n', '\r\n') : lines) + edited.slice(to);
    }
    return edited;
  } catch {
    return undefined;
  }
}

/** A section that lost its last key has no lines. */
function sectionWritten(text: string, edits: readonly Edit[]): string {
  const lines = written(text, edits);
  return lines === '{}\n' ? '' : lines;
}

/** @returns where the lines of a section begin and end; undefined if there is none */
function placeOf(text: string, section: string): readonly [from: number, to: number] | undefined {
  const { contents } = parseYaml(text);
  const pair = isMap(contents)
    ? contents.items.find(({ key }) => isScalar(key) && String(key.value) === section)
    : undefined;
  const from = isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  if (from === undefined) return undefined;
  let to = endOfLine(text, from);
  for (let next = to; next < text.length;) {
    const end = endOfLine(text, next);
    const line = text.slice(next, end);
    if (/^[ \t]+\S/.test(line)) to = end;
    else if (!/^\s*(?:#.*)?$/.test(line)) break;
    next = end;
  }
  return [from, to];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}
