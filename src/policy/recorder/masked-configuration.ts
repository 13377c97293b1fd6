import { camerasOfStream, streamOfAllCameras } from '../cameras.ts';
import { isGranted, type Grant } from '../grant.ts';
import { hasSecret, isAmount, isSecretKey } from '../secret-text.ts';
import { isPlainObject, isTextList } from '../json.ts';

/** A user who reads the recorder's configuration without being admin. */
export interface Reader {
  readonly role: string;
  readonly grant: Grant;
}

type JsonMap = Readonly<Record<string, unknown>>;

/** Replaces a secret. */
export const mask = '*****';

/** Deeper than any real configuration; anything deeper could be endless. */
const deepest = 64;

/**
 * A recorder's configuration (`GET /api/config`) for anyone but an admin: without secrets, and, for a role that is limited to
 * cameras, without other cameras and roles. Recorders remove most secrets themselves, but each release removes others.
 * @throws RangeError if it is nested too deeply
 */
export function maskedConfiguration(configuration: JsonMap, reader: Reader): JsonMap {
  const cut = reader.grant === 'all' ? configuration : cutToGrant(configuration, reader.role, reader.grant);
  return maskMap(cut, []);
}

/** Whether a path is the configuration's, as any server could read it: with a slash at the end, or in capitals. */
export function isConfigurationPath(path: string): boolean {
  return path.length <= 12 && /^\/api\/config\/?$/i.test(path);
}

/** Maps whose keys are freely chosen names, which do not describe the value. */
const mapsOfNames = new Set(['auth.roles', 'live.streams', 'lpr.known_plates']);

function maskMap(map: JsonMap, path: readonly string[]): JsonMap {
  if (path.length > deepest) throw new RangeError('too deep for a configuration');
  const isOfNames = mapsOfNames.has(path.slice(-2).join('.'));
  return mapped(map, (key, value) => {
    const place = [...path, key];
    if (isDropped(place)) return undefined;
    if (isMaskedWhole(place) || (!isOfNames && isSecretKey(key) && !isPlainObject(value)))
      return maskAll(value, isAmount(key));
    return maskValue(value, place);
  });
}

function maskValue(value: unknown, path: readonly string[]): unknown {
  if (typeof value === 'string') return hasSecret(value) ? mask : value;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, [...path, '']));
  return isPlainObject(value) ? maskMap(value, path) : value;
}

/** Settings of other programs and of the process: their secrets are unknown, and no page needs them. */
function isDropped([first, second, third]: readonly string[]): boolean {
  if (first === 'environment_vars') return true;
  if (first !== 'go2rtc' || second === undefined || second === 'streams') return false;
  return second !== 'webrtc' || (third !== undefined && third !== 'candidates');
}

/** Addresses and commands: each kind of source has its own notation for passwords. */
function isMaskedWhole(path: readonly string[]): boolean {
  const [first, second] = path;
  const key = path.at(-1) ?? '';
  if (first === 'go2rtc' && second === 'streams') return path.length > 2;
  return key.endsWith('_args') || key === 'ffmpeg_cmds' || (key === 'path' && path.at(-3) === 'inputs');
}

/** Keeps values that are not text, the presets of a recorder's arguments, and the purpose of a command. */
function maskAll(value: unknown, isNumberKept: boolean, depth = 0): unknown {
  if (depth > deepest) throw new RangeError('too deep for a configuration');
  if (typeof value === 'string') return value === '' || /^preset-[\w-]+$/.test(value) ? value : mask;
  if (typeof value === 'number') return isNumberKept ? value : mask;
  if (Array.isArray(value)) return value.map((item) => maskAll(item, isNumberKept, depth + 1));
  if (!isPlainObject(value)) return value;
  return mapped(value, (key, inner) => (key === 'roles' ? inner : maskAll(inner, isNumberKept, depth + 1)));
}

/** Known plates and faces, addresses and prompts are the household's. */
const sectionsOfHousehold: ReadonlySet<string> = new Set([
  'lpr',
  'face_recognition',
  'mqtt',
  'notifications',
  'genai',
  'onvif',
]);

/** A camera or a zone may be called like one of these sections. */
const parentsOfNames: ReadonlySet<string> = new Set([
  'cameras',
  'zones',
  'streams',
  'roles',
  'camera_groups',
  'profiles',
]);

/** Leaves of these sections only whether they are on, in the form that the recorder's UI reads without looking. */
function withoutHousehold(value: unknown, path: readonly string[]): unknown {
  if (path.length > deepest) throw new RangeError('too deep for a configuration');
  if (Array.isArray(value)) return value.map((item) => withoutHousehold(item, [...path, '']));
  if (!isPlainObject(value)) return value;
  const parent = path.at(-1) ?? '';
  return mapped(value, (key, inner) => {
    const place = [...path, key];
    if (!sectionsOfHousehold.has(key) || parentsOfNames.has(parent)) return withoutHousehold(inner, place);
    if (!isPlainObject(inner)) return undefined;
    const isPart = key === 'genai' && (parent === 'objects' || parent === 'review');
    return { ...switches(inner), ...(key === 'onvif' ? hostOf(inner) : isPart ? namesIn(inner) : {}) };
  });
}

function switches(section: JsonMap): JsonMap {
  return mapped(section, (key, value) => {
    if (key === 'enabled') return typeof value === 'boolean' ? value : undefined;
    const inner = isPlainObject(value) ? switches(value) : {};
    return Object.keys(inner).length > 0 ? inner : undefined;
  });
}

/** Whether a camera can be moved at all: the UI offers it by this. */
function hostOf({ host }: JsonMap): JsonMap {
  return typeof host === 'string' && host !== '' ? { host: mask } : { host: '' };
}

/** Zones of the camera, and kinds of objects. */
function namesIn({ required_zones: zones, objects }: JsonMap): JsonMap {
  return {
    ...(isTextList(zones) && { required_zones: zones }),
    ...(isTextList(objects) && { objects }),
  };
}

function cutToGrant(configuration: JsonMap, role: string, grant: ReadonlySet<string>): JsonMap {
  const known = camerasIn(configuration);
  const isOwnStream = (stream: string) =>
    stream !== streamOfAllCameras &&
    camerasOfStream(stream, known).every((camera) => isGranted(grant, camera));
  const others = withoutHousehold(withoutOthers(configuration, grant, 0), []) as JsonMap;
  const cut = isPlainObject(others['auth']) ? others : { ...others, auth: {} };
  // The recorder's UI redirects a missing role to a page of refusal, even if it has access.
  const ownRole = { [role]: [...known.names].filter((camera) => grant.has(camera)) };
  return mapped(cut, (key, value) => {
    if (!isPlainObject(value)) return value;
    if (key === 'go2rtc') return inside(value, 'streams', isOwnStream);
    // It shows every camera, so that it is closed; the UI of 0.18 offers it to everyone who has every camera in here.
    if (key === 'birdseye') return { ...value, enabled: false, restream: false };
    if (key === 'auth') return { ...value, roles: ownRole };
    if (key === 'proxy')
      return mapped(value, (inner, map) =>
        inner === 'header_map' && isPlainObject(map) ? inside(map, 'role_map', (name) => name === role) : map,
      );
    if (key === 'camera_groups') return filtered(value, (name) => !isEmptyGroup(value[name]));
    return value;
  });
}

/** Anything called `cameras`, at any depth, is a map by camera name or a list of camera names. */
function withoutOthers(value: unknown, grant: ReadonlySet<string>, depth: number): unknown {
  if (depth > deepest) throw new RangeError('too deep for a configuration');
  if (Array.isArray(value)) return value.map((item) => withoutOthers(item, grant, depth + 1));
  if (!isPlainObject(value)) return value;
  return mapped(value, (key, inner) =>
    withoutOthers(key === 'cameras' ? ofGrant(inner, grant) : inner, grant, depth + 1),
  );
}

function ofGrant(cameras: unknown, grant: ReadonlySet<string>): unknown {
  if (typeof cameras === 'string') return cameras.split(',').filter((name) => grant.has(name.trim()));
  if (Array.isArray(cameras)) return cameras.filter((name) => typeof name !== 'string' || grant.has(name));
  return isPlainObject(cameras) ? filtered(cameras, (name) => grant.has(name)) : cameras;
}

function isEmptyGroup(group: unknown): boolean {
  return isPlainObject(group) && Array.isArray(group['cameras']) && group['cameras'].length === 0;
}

function camerasIn({ cameras }: JsonMap) {
  const streams = new Map<string, readonly string[]>();
  const entries = isPlainObject(cameras) ? Object.entries(cameras) : [];
  for (const [camera, value] of entries) {
    const live = isPlainObject(value) ? value['live'] : undefined;
    const listed = isPlainObject(live) ? live['streams'] : undefined;
    for (const stream of isPlainObject(listed) ? Object.values(listed) : [])
      if (typeof stream === 'string') streams.set(stream, [...(streams.get(stream) ?? []), camera]);
  }
  return { names: new Set(entries.map(([camera]) => camera)), complete: true, streams };
}

function inside(map: JsonMap, key: string, isKept: (name: string) => boolean): JsonMap {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isPlainObject(value) ? { ...map, [key]: filtered(value, isKept) } : map;
}

function filtered(map: JsonMap, isKept: (name: string) => boolean): JsonMap {
  return mapped(map, (name, value) => (isKept(name) ? value : undefined));
}

/** Leaves out entries that JSON cannot hold. */
function mapped(map: JsonMap, of: (key: string, value: unknown) => unknown): JsonMap {
  const entries = Object.entries(map).map(([key, value]) => [key, of(key, value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
