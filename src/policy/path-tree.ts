import type { AccessRule } from './access-rule.ts';

/** A rule, and the name in the path that it refers to. */
interface FoundRule {
  readonly rule: AccessRule;
  /** Text of the segment that names the camera, file or row of the recorder; empty: none. */
  readonly name: string;
}

/** @returns the first rule of the table that matches; undefined if none does */
export type FindRule = (path: string, method: string | undefined) => FoundRule | undefined;

/** Rules in a tree of path segments: a lookup costs as much as the URI has segments, however many rules there are. */
interface Node {
  readonly literals: Map<number, Literal[]>;
  /** Segments with a `*`, by the lengths of the texts before and after it, and then by both texts. */
  readonly parts: Map<string, PartPatterns>;
  /** For the segment `:known`, and for any segment. */
  known: Node | undefined;
  any: Node | undefined;
  /** Rules whose path ends here, and rules that continue with `**`, in order. */
  readonly closed: PlacedRule[];
  readonly open: PlacedRule[];
  /** Position of the first of all rules here and below. */
  first: number;
}

interface Literal {
  readonly text: string;
  readonly node: Node;
}

interface PartPatterns {
  readonly before: number;
  readonly behind: number;
  /** Found by the segment, with everything but these texts replaced by `*`. */
  readonly nodes: Map<string, Node>;
}

interface PlacedRule {
  readonly rule: AccessRule;
  readonly place: number;
  /** Which segment names the camera, file or row of the recorder; -1: none. */
  readonly named: number;
}

/** A path, and the positions of the segments that the tree can look at. */
interface Walk {
  readonly path: string;
  readonly method: string | undefined;
  readonly starts: number[];
  /** Hashes of the segments' texts. */
  readonly hashes: number[];
}

/**
 * Segments are found by number: V8 would copy each text that a Map looks up into its table of texts, and clients choose the
 * segments. The number is only a hash: the text itself is compared too.
 * @returns finds rules, given the names that `:known` stands for
 */
export function preparePathTree(rules: readonly AccessRule[]): (names: ReadonlySet<string>) => FindRule {
  const root = emptyNode();
  let depth = 0;
  for (const [place, rule] of rules.entries()) depth = Math.max(depth, insert(root, rule, place));
  return (names) => findIn(root, depth, names);
}

/** @param depth how many segments the deepest rule looks at */
function findIn(root: Node, depth: number, names: ReadonlySet<string>): FindRule {
  const knownNames = new Map<number, string[]>();
  for (const name of names) at(knownNames, hashOf(name, 0, name.length)).push(name);

  const isKnown = (walk: Walk, index: number) => {
    const candidates = knownNames.get(walk.hashes[index] as number);
    return candidates?.some((name) => isSegment(walk, index, name)) === true;
  };

  const firstMatch = (
    node: Node,
    index: number,
    walk: Walk,
    best: PlacedRule | undefined,
  ): PlacedRule | undefined => {
    if (best !== undefined && best.place < node.first) return best;
    let first = firstOf(node.open, walk, best);
    if (index + 1 >= walk.starts.length) return firstOf(node.closed, walk, first);
    const candidates = node.literals.get(walk.hashes[index] as number);
    if (candidates !== undefined) {
      for (const { text, node: child } of candidates)
        if (isSegment(walk, index, text)) first = firstMatch(child, index + 1, walk, first);
    }
    for (const patterns of node.parts.values()) {
      const child = partIn(patterns, walk, index);
      if (child !== undefined) first = firstMatch(child, index + 1, walk, first);
    }
    if (node.known !== undefined && isKnown(walk, index))
      first = firstMatch(node.known, index + 1, walk, first);
    return node.any === undefined ? first : firstMatch(node.any, index + 1, walk, first);
  };

  return (path, method) => {
    const walk = walkThrough(path, method, depth + 1);
    const found = firstMatch(root, 0, walk, undefined);
    if (found === undefined) return undefined;
    const isNamed = found.named !== -1 && found.named + 1 < walk.starts.length;
    return { rule: found.rule, name: isNamed ? segmentAt(walk, found.named) : '' };
  };
}

const slash = 0x2f;

/** @param most segments to look for: beyond the deepest rule, it only matters whether there is another one */
function walkThrough(path: string, method: string | undefined, most: number): Walk {
  const starts = [1];
  const hashes: number[] = [];
  let hash = 0;
  for (let i = 1; i < path.length && hashes.length < most; i += 1) {
    const code = path.charCodeAt(i);
    if (code === slash) {
      hashes.push(hash);
      starts.push(i + 1);
      hash = 0;
    } else hash = (Math.imul(hash, 31) + code) | 0;
  }
  if (hashes.length < most) {
    hashes.push(hash);
    starts.push(path.length + 1);
  }
  return { path, method, starts, hashes };
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0;
  for (let i = from; i < to; i += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

function segmentAt({ path, starts }: Walk, index: number): string {
  return path.slice(starts[index], (starts[index + 1] as number) - 1);
}

function isSegment({ path, starts }: Walk, index: number, text: string): boolean {
  const start = starts[index] as number;
  return (starts[index + 1] as number) - 1 - start === text.length && path.startsWith(text, start);
}

function partIn({ before, behind, nodes }: PartPatterns, walk: Walk, index: number): Node | undefined {
  const segment = segmentAt(walk, index);
  if (segment.length < before + behind) return undefined;
  return nodes.get(`${segment.slice(0, before)}*${segment.slice(segment.length - behind)}`);
}

function firstOf(
  rules: readonly PlacedRule[],
  { path, method }: Walk,
  best: PlacedRule | undefined,
): PlacedRule | undefined {
  for (const placed of rules) {
    if (best !== undefined && best.place < placed.place) return best;
    if (applies(placed.rule, path, method)) return placed;
  }
  return best;
}

/** An empty segment is not a file name: no front has a place for it, and nothing public lies there. */
function applies({ methods, having, level }: AccessRule, path: string, method: string | undefined): boolean {
  if (level === 'public' && path.endsWith('/')) return false;
  return (methods?.includes(method ?? '') ?? true) && (having === undefined || path.includes(having));
}

function emptyNode(): Node {
  return {
    literals: new Map(),
    parts: new Map(),
    known: undefined,
    any: undefined,
    closed: [],
    open: [],
    first: Number.POSITIVE_INFINITY,
  };
}

/** @returns how many segments the rule looks at */
function insert(root: Node, rule: AccessRule, place: number): number {
  const segments = rule.path.slice(1).split('/');
  const isOpen = segments.at(-1) === '**';
  if (isOpen) segments.pop();
  const named = segments.findIndex((segment) => segment.startsWith(':'));
  let node = root;
  node.first = Math.min(node.first, place);
  for (const segment of segments) {
    node = childFor(node, segment);
    node.first = Math.min(node.first, place);
  }
  (isOpen ? node.open : node.closed).push({ rule, place, named });
  return segments.length;
}

function childFor(node: Node, segment: string): Node {
  if (segment === ':known') return (node.known ??= emptyNode());
  if (segment === '*' || segment.startsWith(':')) return (node.any ??= emptyNode());
  if (segment.includes('*')) return partChildFor(node, segment);
  const literals = at(node.literals, hashOf(segment, 0, segment.length));
  const there = literals.find(({ text }) => text === segment);
  if (there !== undefined) return there.node;
  const child = emptyNode();
  literals.push({ text: segment, node: child });
  return child;
}

function partChildFor(node: Node, segment: string): Node {
  const before = segment.indexOf('*');
  const behind = segment.length - before - 1;
  const lengths = `${before},${behind}`;
  const parts = node.parts.get(lengths) ?? { before, behind, nodes: new Map<string, Node>() };
  node.parts.set(lengths, parts);
  const child = parts.nodes.get(segment) ?? emptyNode();
  parts.nodes.set(segment, child);
  return child;
}

function at<T>(lists: Map<number, T[]>, key: number): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
