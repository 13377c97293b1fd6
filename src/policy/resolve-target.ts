import { cameraOfFile, camerasOfStream, type KnownCameras } from './cameras.ts';
import type { CanonicalUri } from './canonical-uri.ts';
import type { Row } from './target-table.ts';
import type { ResolvedTarget, Target } from './target.ts';

/** @returns what a canonical URI stands for, by the first row of the table that matches it */
export type ResolveTarget = (uri: CanonicalUri, method: string | undefined) => ResolvedTarget;

/** Ids that one look-up may name; what has more cannot be looked up. */
const mostIds = 1_000;

const noRow: Row = { path: '/**', requirement: 'unresolved' };

/** Rows in a tree of their path segments: a look-up costs the segments of the URI, not the rows of the table. */
interface Node {
  readonly literals: Map<string, Node>;
  /** Segments with a `*` in them, by the lengths of what stands before and behind it, and then by both texts. */
  readonly parts: Map<string, PartPatterns>;
  readonly patterns: Map<string, { readonly test: (segment: string) => boolean; readonly node: Node }>;
  /** Rows whose path ends here, and rows that go on with `**`, by their place in the table. */
  readonly closed: PlacedRow[];
  readonly open: PlacedRow[];
}

interface PartPatterns {
  readonly before: number;
  readonly behind: number;
  /** By the segment with all but these texts replaced by `*`. */
  readonly nodes: Map<string, Node>;
}

interface PlacedRow {
  readonly row: Row;
  readonly place: number;
  /** Which segment names the camera, file or row of the recorder; -1: none. */
  readonly named: number;
}

export function prepareTargets(table: readonly Row[], known: KnownCameras): ResolveTarget {
  const root = emptyNode();
  for (const [place, row] of table.entries()) insert(root, row, place, known.names);
  const resolve = (path: string, query: string, method: string | undefined): ResolvedTarget => {
    const segments = path.slice(1).split('/');
    const found = firstMatch(root, segments, 0, (row) => applies(row, path, method), undefined);
    if (found === undefined) return { row: noRow, target: { kind: 'unresolved' } };
    return { row: found.row, target: targetOf(found.row, segments[found.named] ?? '', query, known) };
  };
  return ({ path, query }, method) => {
    const resolved = resolve(path, query, method);
    const lowerCase = path.toLowerCase();
    if (lowerCase === path) return resolved;
    // A server that does not tell upper case from lower would serve `/API/config` as `/api/config`.
    const other = resolve(lowerCase, query, method);
    const differ = resolved.row !== other.row;
    if (differ && resolved.target.kind === 'cameras' && other.target.kind === 'cameras') {
      const cameras = [...resolved.target.cameras, ...other.target.cameras];
      return { row: resolved.row, target: { kind: 'cameras', cameras } };
    }
    // The gate's own endpoints are spelt in lower case alone: another server would answer this one.
    if (differ && (other.target.kind === 'public' || other.target.kind === 'own-account'))
      return { row: other.row, target: { kind: 'admin-only' } };
    const isListThere = other.row.requirement === 'list' && resolved.row.requirement !== 'list';
    const isOpenHereAlone =
      resolved.target.kind === 'neutral' && (other.target.kind !== 'neutral' || isListThere);
    return other.target.kind === 'admin-only' || isOpenHereAlone ? other : resolved;
  };
}

function emptyNode(): Node {
  return { literals: new Map(), parts: new Map(), patterns: new Map(), closed: [], open: [] };
}

function insert(root: Node, row: Row, place: number, names: ReadonlySet<string>): void {
  const segments = row.path.slice(1).split('/');
  const isOpen = segments.at(-1) === '**';
  if (isOpen) segments.pop();
  const named = segments.findIndex((segment) => segment.startsWith(':'));
  let node = root;
  for (const segment of segments) node = childFor(node, segment, names);
  (isOpen ? node.open : node.closed).push({ row, place, named });
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
  accept: (row: Row) => boolean,
  best: PlacedRow | undefined,
): PlacedRow | undefined {
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
  rows: readonly PlacedRow[],
  accept: (row: Row) => boolean,
  best: PlacedRow | undefined,
): PlacedRow | undefined {
  const found = rows.find(({ row }) => accept(row));
  return found !== undefined && (best === undefined || found.place < best.place) ? found : best;
}

/** An empty segment is no name of a file: no front has a place for it, and nothing public lies there. */
function applies({ methods, having, requirement }: Row, path: string, method: string | undefined): boolean {
  if (requirement === 'public' && path.endsWith('/')) return false;
  return (methods?.includes(method ?? '') ?? true) && (having === undefined || path.includes(having));
}

/** @param name the segment that names the camera, file or row of the recorder; empty when the path has none */
function targetOf({ requirement }: Row, name: string, query: string, known: KnownCameras): Target {
  switch (requirement) {
    case 'public':
    case 'own-account':
    case 'admin-only':
    case 'unresolved':
      return { kind: requirement };
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
