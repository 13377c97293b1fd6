import { cameraOfFile, camerasOfStream, streamOfAllCameras, type KnownCameras } from './cameras.ts';
import type { CanonicalUri } from './canonical-uri.ts';
import { mostIds } from './event-ids.ts';
import { neededFor, type AccessRule } from './access-rule.ts';
import { preparePathTree, type FindRule } from './path-tree.ts';
import type { ResolvedResource, Resource } from './resource.ts';

/** @returns the resource of a canonical URI, by the first rule that matches it */
export type ResolveResource = (uri: CanonicalUri, method: string | undefined) => ResolvedResource;

const noRule: AccessRule = { path: '/**', level: 'unresolved', may: 'everything' };

/** The part that depends on the rules is done once, and costs more than the part that depends on cameras. */
export function prepareRules(ruleTable: readonly AccessRule[]): (known: KnownCameras) => ResolveResource {
  const findAmong = preparePathTree(ruleTable);
  return (known) => resolveBy(findAmong(known.names), known);
}

function resolveBy(find: FindRule, known: KnownCameras): ResolveResource {
  const resolve = (path: string, query: string, method: string | undefined): ResolvedResource => {
    const found = find(path, method);
    const { rule, name } = found ?? { rule: noRule, name: '' };
    return { rule, needs: neededFor(rule), resource: resourceOf(rule, name, query, known) };
  };
  return ({ path, query }, method) => {
    const resolved = resolve(path, query, method);
    const lowerCase = path.toLowerCase();
    if (lowerCase === path) return resolved;
    // A case-insensitive server would serve `/API/config` as `/api/config`.
    const other = resolve(lowerCase, query, method);
    const either = readEitherWay(resolved, other);
    if (resolved.needs === other.needs) return either;
    return { ...either, needs: [...new Set([...resolved.needs, ...other.needs])] };
  };
}

/** @returns the stricter reading of a path, of which another server may only know the lower case. The needs are one reading's. */
function readEitherWay(resolved: ResolvedResource, other: ResolvedResource): ResolvedResource {
  const differ = resolved.rule !== other.rule;
  if (differ && resolved.resource.kind === 'cameras' && other.resource.kind === 'cameras') {
    const cameras = [...resolved.resource.cameras, ...other.resource.cameras];
    return { ...resolved, resource: { kind: 'cameras', cameras } };
  }
  const isListThere = other.rule.level === 'list' && resolved.rule.level !== 'list';
  // `all` in a list is not a camera, but a camera may be called `ALL`: it has to be granted, and the list has to be open.
  if (isListThere && resolved.resource.kind === 'cameras') return { ...other, resource: resolved.resource };
  // The gate's own endpoints exist in lower case only: another server would answer this one.
  if (differ && (other.resource.kind === 'public' || other.resource.kind === 'own-account'))
    return { ...other, resource: adminOnly };
  const isOpenHereAlone =
    resolved.resource.kind === 'neutral' && (other.resource.kind !== 'neutral' || isListThere);
  // A camera may be called `Birdseye` or `Metrics`: another server would show all of them there.
  const isNarrowerThere = other.resource.kind === 'admin-only' || other.resource.kind === 'every-camera';
  return isNarrowerThere || isOpenHereAlone ? other : resolved;
}

// One object for each: records of decisions refer to it.
const unresolved: Resource = { kind: 'unresolved' };
const neutral: Resource = { kind: 'neutral' };
const adminOnly: Resource = { kind: 'admin-only' };
const everyCamera: Resource = { kind: 'every-camera' };
const nameless = {
  public: { kind: 'public' },
  'own-account': { kind: 'own-account' },
  'admin-only': adminOnly,
  unresolved,
  'every-camera': everyCamera,
  'cameras-in-body': { kind: 'in-body', names: 'cameras' },
  'reviews-in-body': { kind: 'in-body', names: 'reviews' },
} as const satisfies Partial<Record<AccessRule['level'], Resource>>;

/** @param name the segment that names the camera, file or row of the recorder; empty if the path has none */
function resourceOf({ level, body }: AccessRule, name: string, query: string, known: KnownCameras): Resource {
  switch (level) {
    case 'public':
    case 'own-account':
    case 'admin-only':
    case 'unresolved':
    case 'every-camera':
    case 'cameras-in-body':
    case 'reviews-in-body':
      return nameless[level];
    case 'any':
      return neutral;
    case 'list': {
      const cameras = namesIn(query, ['camera', 'cameras']).filter((camera) => camera !== 'all');
      return cameras.length === 0 ? neutral : { kind: 'cameras', cameras };
    }
    case 'camera-in-path':
      if (name === '') return unresolved;
      return { kind: 'cameras', cameras: [name], ...(body === undefined ? {} : { names: body }) };
    case 'camera-in-file': {
      const camera = cameraOfFile(name, known);
      return camera === undefined ? unresolved : { kind: 'cameras', cameras: [camera] };
    }
    case 'camera-in-src':
    case 'stream-in-src': {
      const parameters = parametersOf(query);
      const streams = parameters.getAll('src');
      if (level === 'stream-in-src' && !streams.some((stream) => stream !== '')) return adminOnly;
      // `dst` publishes into a stream, and `name` gives one a new source: for admins only.
      if (parameters.has('dst') || parameters.has('name')) return adminOnly;
      return ofStreams(streams, known);
    }
    case 'stream-in-path':
      // Without a name it lists all streams.
      return name === '' ? adminOnly : ofStreams([name], known);
    case 'camera-of-event':
      return name === ''
        ? unresolved
        : { kind: 'recorded', in: 'events', ids: [name], cameras: [], allThere: true };
    case 'camera-of-events': {
      const ids = namesIn(query, ['ids']);
      if (ids.length > mostIds) return unresolved;
      const cameras = namesIn(query, ['camera', 'cameras']).filter((camera) => camera !== 'all');
      return { kind: 'recorded', in: 'events', ids, cameras, allThere: false };
    }
    case 'camera-of-export':
      return name === '' ? unresolved : { kind: 'recorded', in: 'exports', ids: [name] };
    case 'camera-of-review':
      return name === '' ? unresolved : { kind: 'recorded', in: 'reviews', ids: [name] };
    case 'camera-of-reviews': {
      const ids = namesIn(query, ['ids']);
      return ids.length === 0 || ids.length > mostIds ? unresolved : { kind: 'recorded', in: 'reviews', ids };
    }
  }
}

function ofStreams(streams: readonly string[], known: KnownCameras): Resource {
  if (!streams.every(isStreamName)) return adminOnly;
  // Regardless of the names of cameras, and of any camera that lists it as its own stream.
  if (streams.includes(streamOfAllCameras)) return everyCamera;
  const cameras = streams.flatMap((stream) => camerasOfStream(stream, known));
  return cameras.length === 0 ? unresolved : { kind: 'cameras', cameras };
}

/**
 * A second question mark is part of the first name. Some parsers split at semicolons too: both readings are used, so that a name
 * in either counts.
 */
function parametersOf(query: string): URLSearchParams {
  if (!query.includes(';')) return new URLSearchParams(`?${query}`);
  return new URLSearchParams(`?${query}&${query.replaceAll(';', '&')}`);
}

/** Anything else is an address or a command, such as `rtsp://…` or `exec:…`: it creates a stream, which only admins may. */
function isStreamName(stream: string): boolean {
  return /^[\p{L}\p{N}_.@ -]*$/u.test(stream);
}

/** Comma-separated and repeated values of query parameters. */
function namesIn(query: string, parameters: readonly string[]): string[] {
  if (query === '') return [];
  // Most queries contain nothing that could be another spelling of these parameters.
  if (!query.includes('%') && !parameters.some((parameter) => query.includes(parameter))) return [];
  const values = parametersOf(query);
  const names = parameters
    .flatMap((parameter) => values.getAll(parameter))
    .flatMap((value) => value.split(','));
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
}
