import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  YAMLParseError,
  type Document,
  type YAMLMap,
  type Node,
} from 'yaml';

/** Parses a text as the recorder does, with merge keys (`<<: *live`, YAML 1.1). The time grows as the text does. */
export function parseYaml(text: string): Document.Parsed {
  // The library compares each key with all those before it: 200,000 cameras take a minute.
  const document = parseDocument(text, { prettyErrors: false, merge: true, uniqueKeys: false });
  const repeated = repeatedKeys(document.contents);
  if (repeated.length > 0)
    document.errors = [...document.errors, ...repeated].sort((one, other) => one.pos[0] - other.pos[0]);
  return document;
}

/** @returns an error for each key that its map has already, as the library has it: 1 and "1" are two keys */
function repeatedKeys(contents: unknown): YAMLParseError[] {
  const errors: YAMLParseError[] = [];
  const due: unknown[] = [contents];
  while (due.length > 0) {
    const node = due.pop();
    if (isPair(node)) due.push(node.key, node.value);
    if (!isCollection(node)) continue;
    for (const item of node.items) due.push(item);
    const known = new Set<unknown>();
    for (const { key } of isMap(node) ? node.items : []) {
      if (!isScalar(key) || Number.isNaN(key.value)) continue;
      const at = key.range?.[0] ?? 0;
      if (known.has(key.value))
        errors.push(new YAMLParseError([at, at + 1], 'DUPLICATE_KEY', 'Map keys must be unique'));
      known.add(key.value);
    }
  }
  return errors;
}

/** A quoted `"<<"` is a key like any other. */
function isMergeKey(key: unknown): boolean {
  if (!isScalar(key) || (key.type !== undefined && key.type !== 'PLAIN')) return false;
  const { value } = key;
  return (typeof value === 'symbol' ? value.description : value) === '<<';
}

/**
 * @returns how large a document is when each alias is replaced by what it stands for, in values, of which a long text is several; infinite when an
 * alias stands within its own anchor
 */
export function expandedSize(document: Document): number {
  const sizes = new Map<string, number>();
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) return sizes.get(node.source) ?? 1;
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    const anchor = isNode(node) ? node.anchor : undefined;
    if (anchor !== undefined) sizes.set(anchor, Number.POSITIVE_INFINITY);
    let size = 1;
    if (isScalar(node)) size += Math.floor(String(node.value).length / 64);
    else if (isCollection(node)) for (const item of node.items) size += sizeOf(item);
    if (anchor !== undefined) sizes.set(anchor, size);
    return size;
  };
  return sizeOf(document.contents);
}

/** @returns the place of the second merge key of a map, which the recorder refuses; `undefined` if no map has two */
export function secondMergeKey(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map: (_, { items }) => {
      const [, second] = items.filter(({ key }) => isMergeKey(key));
      if (second === undefined || !isNode(second.key)) return undefined;
      found = second.key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

/** Replaces the merge key of a map by the pairs that it stands for, so that a change of the map changes nothing else. */
export function flattenMerge(map: YAMLMap, document: Document): void {
  const merges = map.items.filter(({ key }) => isMergeKey(key));
  if (merges.length === 0) return;
  const merged = pairsOf(map, document);
  for (const { value } of merges) releaseAnchors(document, value);
  map.items = merged.map((pair) => (map.items.includes(pair) ? pair : withoutAnchors(pair)));
}

/**
 * Replaces each remaining alias of an anchor that will be deleted by a copy of the anchor's value.
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

type Pair = YAMLMap['items'][number];

/** Its own pairs first: of several with one key the first counts. */
function pairsOf(map: YAMLMap, document: Document): Pair[] {
  const own = map.items.filter(({ key }) => !isMergeKey(key));
  const merged = map.items
    .filter(({ key }) => isMergeKey(key))
    .flatMap(({ value }) => sourcesOf(value, document))
    .flatMap((source) => pairsOf(source, document));
  const names = new Set<string>();
  return [...own, ...merged].filter(({ key }) => {
    const name = String(isScalar(key) ? key.value : key);
    return !names.has(name) && names.add(name);
  });
}

function sourcesOf(value: unknown, document: Document): YAMLMap[] {
  const source = isAlias(value) ? value.resolve(document) : value;
  if (isMap(source)) return [source];
  return isSeq(source) ? source.items.flatMap((item) => sourcesOf(item, document)) : [];
}

function withoutAnchors(pair: Pair): Pair {
  const copy = pair.clone();
  visit(copy.value as Parameters<typeof visit>[0], {
    Node: (_, node) => void (isAlias(node) || delete node.anchor),
  });
  return copy;
}
