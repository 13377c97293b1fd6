import type { AccessRule } from './access-rule.ts';

/** A rule, and what of the path it names. */
interface FoundRule {
  readonly rule: AccessRule;
  /** Text of the segment that names the camera, file or row of the recorder; empty: none, or the path has none. */
  readonly name: string;
}

/** @returns the first rule of the table that matches; undefined when none does */
export type FindRule = (path: string, method: string | undefined) => FoundRule | undefined;

/** Rules in a tree of their path segments: a look-up costs the segments of the URI, however many rules there are. */
interface Node {
  readonly literals: Map<number, Literal[]>;
  /** Segments with a `*` in them, by the lengths of what stands before and behind it, and then by both texts. */
  readonly parts: Map<string, PartPatterns>;
  /** Of the segment `:known`, and of any segment. */
  known: Node | undefined;
  any: Node | undefined;
  /** Rules whose path ends here, and rules that go on with `**`, by their order. */
  readonly closed: PlacedRule[];
  readonly open: PlacedRule[];
  /** Of all rules here and below: the place of the first. */
  first: number;
}

interface Literal {
  readonly text: string;
  readonly node: Node;
}

interface PartPatterns {
  readonly before: number;
  readonly behind: number;
  /** By the segment with all but these texts replaced by `*`. */
  readonly nodes: Map<string, Node>;
}

interface PlacedRule {
  readonly rule: AccessRule;
  readonly place: number;
  /** Which segment names the camera, file or row of the recorder; -1: none. */
  readonly named: number;
}

/** A path, and where the segments are that the tree can look at. */
interface Walk {
  readonly path: string;
  readonly method: string | undefined;
  readonly starts: number[];
  /** Hashes of the segments' texts. */
  readonly hashes: number[];
}

/**
 * Segments are found by a number: V8 copies each text that a Map is asked about into its table of texts, and the segments of
 * a path are a client's. The number only says where to look; what is found there has the very text.
 */
export function preparePathTree(rules: readonly AccessRule[], names: ReadonlySet<string>): FindRule {
  const root = emptyNode();
  let depth = 0;
  for (const [place, rule] of rules.entries()) depth = Math.max(depth, insert(root, rule, place));
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

/** @param most segments that are looked for: whether there is another one is all that counts behind the deepest rule */
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

/** An empty segment is no name of a file: no front has a place for it, and nothing public lies there. */
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
