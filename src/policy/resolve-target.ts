import type { CanonicalUri } from './canonical-uri.ts';
import type { Row } from './target-table.ts';
import type { Target } from './target.ts';

/** @returns what a canonical URI stands for, by the first row of the table that matches it. */
export type ResolveTarget = (uri: CanonicalUri, method: string | undefined) => Target;

/** @param knownCameras names that the configuration mentions, which `:known` matches */
export function prepareTargets(table: readonly Row[], knownCameras: ReadonlySet<string>): ResolveTarget {
  const rows = table.map((row) => ({ row, matches: compilePath(row.path, knownCameras) }));
  const resolve = (path: string, { query }: CanonicalUri, method: string | undefined): Target => {
    const segments = path.slice(1).split('/');
    for (const { row, matches } of rows) {
      if (row.methods !== undefined && !row.methods.includes(method ?? '')) continue;
      const match = matches(segments);
      if (match !== undefined) return targetOf(row, match.camera, query);
    }
    return { kind: 'unresolved' };
  };
  return (uri, method) => {
    const target = resolve(uri.path, uri, method);
    // A server that does not tell upper case from lower would serve `/API/config` as `/api/config`.
    return target.kind === 'neutral' ? resolve(uri.path.toLowerCase(), uri, method) : target;
  };
}

function targetOf(row: Row, camera: string | undefined, query: string): Target {
  switch (row.requirement) {
    case 'camera-in-path':
      return camera === undefined || camera === ''
        ? { kind: 'unresolved' }
        : { kind: 'cameras', cameras: [camera] };
    case 'camera-in-src': {
      // A second question mark is part of the first name, and some parsers part pairs at semicolons too.
      const cameras = query.includes(';') ? [] : new URLSearchParams(`?${query}`).getAll('src');
      return cameras.length === 0 ? { kind: 'unresolved' } : { kind: 'cameras', cameras };
    }
    case 'public':
    case 'own-account':
    case 'neutral':
    case 'admin-only':
    case 'unresolved':
      return { kind: row.requirement };
  }
}

type MatchPath = (segments: readonly string[]) => { readonly camera: string | undefined } | undefined;

function compilePath(path: string, knownCameras: ReadonlySet<string>): MatchPath {
  const patterns = path.slice(1).split('/');
  const open = patterns.at(-1) === '**';
  if (open) patterns.pop();
  const cameraAt = patterns.findIndex((pattern) => pattern === ':camera' || pattern === ':known');
  const tests = patterns.map((pattern) => compileSegment(pattern, knownCameras));
  return (segments) => {
    if (open ? segments.length < tests.length : segments.length !== tests.length) return undefined;
    if (!tests.every((test, i) => test(segments[i] as string))) return undefined;
    return { camera: cameraAt === -1 ? undefined : segments[cameraAt] };
  };
}

function compileSegment(pattern: string, knownCameras: ReadonlySet<string>): (segment: string) => boolean {
  if (pattern === '*' || pattern === ':camera') return () => true;
  if (pattern === ':known') return (segment) => knownCameras.has(segment);
  if (!pattern.includes('*')) return (segment) => segment === pattern;
  const [start = '', end = ''] = pattern.split('*');
  return (segment) =>
    segment.length >= start.length + end.length && segment.startsWith(start) && segment.endsWith(end);
}
