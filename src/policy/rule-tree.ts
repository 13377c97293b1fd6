import { cameraOfFile, camerasOfStream, type KnownCameras } from './cameras.ts';
import type { CanonicalUri } from './canonical-uri.ts';
import type { AccessRule } from './access-rules.ts';
import type { ResolvedResource, Resource } from './resource.ts';

/** @returns what a canonical URI stands for, by the first rule that matches it */
export type ResolveResource = (uri: CanonicalUri, method: string | undefined) => ResolvedResource;

/** Ids that one look-up may name; what has more cannot be looked up. */
const mostIds = 1_000;

const noRule: AccessRule = { path: '/**', level: 'unresolved' };

/** Rules in a tree of their path segments: a look-up costs the segments of the URI, however many rules there are. */
interface Node {
  readonly literals: Map<string, Node>;
  /** Segments with a `*` in them, by the lengths of what stands before and behind it, and then by both texts. */
  readonly parts: Map<string, PartPatterns>;
  readonly patterns: Map<string, { readonly test: (segment: string) => boolean; readonly node: Node }>;
  /** Rules whose path ends here, and rules that go on with `**`, by their order. */
  readonly closed: PlacedRule[];
  readonly open: PlacedRule[];
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

export function prepareRules(ruleTable: readonly AccessRule[], known: KnownCameras): ResolveResource {
  const root = emptyNode();
  for (const [place, rule] of ruleTable.entries()) insert(root, rule, place, known.names);
  const resolve = (path: string, query: string, method: string | undefined): ResolvedResource => {
    const segments = path.slice(1).split('/');
    const found = firstMatch(root, segments, 0, (rule) => applies(rule, path, method), undefined);
    if (found === undefined) return { rule: noRule, resource: { kind: 'unresolved' } };
    return { rule: found.rule, resource: resourceOf(found.rule, segments[found.named] ?? '', query, known) };
  };
  return ({ path, query }, method) => {
    const resolved = resolve(path, query, method);
    const lowerCase = path.toLowerCase();
    if (lowerCase === path) return resolved;
    // A server that does not tell upper case from lower would serve `/API/config` as `/api/config`.
    const other = resolve(lowerCase, query, method);
    const differ = resolved.rule !== other.rule;
    if (differ && resolved.resource.kind === 'cameras' && other.resource.kind === 'cameras') {
      const cameras = [...resolved.resource.cameras, ...other.resource.cameras];
      return { rule: resolved.rule, resource: { kind: 'cameras', cameras } };
    }
    // The gate's own endpoints are spelt in lower case alone: another server would answer this one.
    if (differ && (other.resource.kind === 'public' || other.resource.kind === 'own-account'))
      return { rule: other.rule, resource: { kind: 'admin-only' } };
    const isListThere = other.rule.level === 'list' && resolved.rule.level !== 'list';
    const isOpenHereAlone =
      resolved.resource.kind === 'neutral' && (other.resource.kind !== 'neutral' || isListThere);
    return other.resource.kind === 'admin-only' || isOpenHereAlone ? other : resolved;
  };
}

function emptyNode(): Node {
  return { literals: new Map(), parts: new Map(), patterns: new Map(), closed: [], open: [] };
}

function insert(root: Node, rule: AccessRule, place: number, names: ReadonlySet<string>): void {
  const segments = rule.path.slice(1).split('/');
  const isOpen = segments.at(-1) === '**';
  if (isOpen) segments.pop();
  const named = segments.findIndex((segment) => segment.startsWith(':'));
  let node = root;
  for (const segment of segments) node = childFor(node, segment, names);
  (isOpen ? node.open : node.closed).push({ rule, place, named });
}

function childFor(node: Node, segment: string, names: ReadonlySet<string>): Node {
  if (!segment.startsWith(':') && !segment.includes('*')) {
    const child = node.literals.get(segment) ?? emptyNode();
    node.literals.set(segment, child);
    return child;
  }
  if (segment !== '*' && segment.includes('*')) return partChildFor(node, segment);
  const pattern = node.patterns.get(segment) ?? { test: segmentTest(segment, names), node: emptyNode() };
  node.patterns.set(segment, pattern);
  return pattern.node;
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

function segmentTest(pattern: string, names: ReadonlySet<string>): (segment: string) => boolean {
  if (pattern === ':known') return (segment) => names.has(segment);
  return () => true;
}

function firstMatch(
  node: Node,
  segments: readonly string[],
  depth: number,
  accept: (rule: AccessRule) => boolean,
  best: PlacedRule | undefined,
): PlacedRule | undefined {
  let first = firstOf(node.open, accept, best);
  const segment = segments[depth];
  if (segment === undefined) return firstOf(node.closed, accept, first);
  const literal = node.literals.get(segment);
  if (literal !== undefined) first = firstMatch(literal, segments, depth + 1, accept, first);
  for (const { before, behind, nodes } of node.parts.values()) {
    if (segment.length < before + behind) continue;
    const child = nodes.get(`${segment.slice(0, before)}*${segment.slice(segment.length - behind)}`);
    if (child !== undefined) first = firstMatch(child, segments, depth + 1, accept, first);
  }
  for (const { test, node: child } of node.patterns.values()) {
    if (test(segment)) first = firstMatch(child, segments, depth + 1, accept, first);
  }
  return first;
}

function firstOf(
  rules: readonly PlacedRule[],
  accept: (rule: AccessRule) => boolean,
  best: PlacedRule | undefined,
): PlacedRule | undefined {
  const found = rules.find(({ rule }) => accept(rule));
  return found !== undefined && (best === undefined || found.place < best.place) ? found : best;
}

/** An empty segment is no name of a file: no front has a place for it, and nothing public lies there. */
function applies({ methods, having, level }: AccessRule, path: string, method: string | undefined): boolean {
  if (level === 'public' && path.endsWith('/')) return false;
  return (methods?.includes(method ?? '') ?? true) && (having === undefined || path.includes(having));
}

/** @param name the segment that names the camera, file or row of the recorder; empty when the path has none */
function resourceOf({ level }: AccessRule, name: string, query: string, known: KnownCameras): Resource {
  switch (level) {
    case 'public':
    case 'own-account':
    case 'admin-only':
    case 'unresolved':
      return { kind: level };
    case 'any':
      return { kind: 'neutral' };
    case 'list': {
      const cameras = namesIn(query, ['camera', 'cameras']).filter((camera) => camera !== 'all');
      return cameras.length === 0 ? { kind: 'neutral' } : { kind: 'cameras', cameras };
    }
    case 'camera-in-path':
      return name === '' ? { kind: 'unresolved' } : { kind: 'cameras', cameras: [name] };
    case 'camera-in-file': {
      const camera = cameraOfFile(name, known);
      return camera === undefined ? { kind: 'unresolved' } : { kind: 'cameras', cameras: [camera] };
    }
    case 'camera-in-src': {
      const parameters = parametersOf(query);
      const streams = parameters.getAll('src');
      // `dst` publishes into a stream, `name` gives one a new source, and a source that is no plain name is an
      // address or a command: all of that is the administrator's.
      const administers = parameters.has('dst') || parameters.has('name') || !streams.every(isStreamName);
      if (administers) return { kind: 'admin-only' };
      const cameras = streams.flatMap((stream) => camerasOfStream(stream, known));
      return cameras.length === 0 ? { kind: 'unresolved' } : { kind: 'cameras', cameras };
    }
    case 'camera-of-event':
      return name === ''
        ? { kind: 'unresolved' }
        : { kind: 'recorded', in: 'events', ids: [name], cameras: [], allThere: true };
    case 'camera-of-events': {
      const ids = namesIn(query, ['ids']);
      if (ids.length > mostIds) return { kind: 'unresolved' };
      const cameras = namesIn(query, ['camera', 'cameras']).filter((camera) => camera !== 'all');
      return { kind: 'recorded', in: 'events', ids, cameras, allThere: false };
    }
    case 'camera-of-export':
      return name === '' ? { kind: 'unresolved' } : { kind: 'recorded', in: 'exports', ids: [name] };
    case 'camera-of-review':
      return name === '' ? { kind: 'unresolved' } : { kind: 'recorded', in: 'reviews', ids: [name] };
  }
}

/**
 * A second question mark is part of the first name. Some parsers part pairs at semicolons too: both readings are
 * taken, so that a name in either counts.
 */
function parametersOf(query: string): URLSearchParams {
  if (!query.includes(';')) return new URLSearchParams(`?${query}`);
  return new URLSearchParams(`?${query}&${query.replaceAll(';', '&')}`);
}

/** Anything else, such as `rtsp://…` or `exec:…`, makes a stream of its own. */
function isStreamName(stream: string): boolean {
  return /^[\p{L}\p{N}_.@ -]*$/u.test(stream);
}

/** Comma-separated and repeated values of query parameters. */
function namesIn(query: string, parameters: readonly string[]): string[] {
  if (query === '') return [];
  const values = parametersOf(query);
  const names = parameters
    .flatMap((parameter) => values.getAll(parameter))
    .flatMap((value) => value.split(','));
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
}
