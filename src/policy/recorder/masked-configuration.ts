import { camerasOfStream, streamOfAllCameras } from '../cameras.ts';
import type { May } from '../capability.ts';
import { isGranted, type Grant } from '../grant.ts';
import { hasSecret, isAmount, isSecretKey } from '../secret-text.ts';
import { isPlainObject, isTextList } from '../json.ts';

/** A user who reads the recorder's configuration without being admin. */
export interface Reader {
  readonly role: string;
  readonly grant: Grant;
  readonly may: May;
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
  const masked = maskMap(cut, [], reader.may);
  return reader.may.has('live') ? withServers(masked, configuration) : masked;
}

/**
 * With the servers by which a browser reaches go2rtc (`go2rtc.webrtc.ice_servers`). The secret of a TURN server is made for those who
 * watch, whose browsers need it.
 */
function withServers(masked: JsonMap, configuration: JsonMap): JsonMap {
  const servers = mapAt(mapAt(configuration, 'go2rtc'), 'webrtc')['ice_servers'];
  if (!Array.isArray(servers)) return masked;
  const kept = servers.map((server) =>
    isPlainObject(server)
      ? mapped(server, (key, value) =>
          namesOfServer.has(key) && (typeof value === 'string' || isTextList(value)) ? value : undefined,
        )
      : {},
  );
  const go2rtc = mapAt(masked, 'go2rtc');
  return { ...masked, go2rtc: { ...go2rtc, webrtc: { ...mapAt(go2rtc, 'webrtc'), ice_servers: kept } } };
}

/** As in RTCIceServer. */
const namesOfServer: ReadonlySet<string> = new Set(['urls', 'username', 'credential']);

function mapAt(map: JsonMap, key: string): JsonMap {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isPlainObject(value) ? value : {};
}

/** Whether a path is the configuration's, as any server could read it: with a slash at the end, or in capitals. */
export function isConfigurationPath(path: string): boolean {
  return path.length <= 12 && /^\/api\/config\/?$/i.test(path);
}

/** Maps whose keys are freely chosen names, which do not describe the value. */
const mapsOfNames = new Set(['auth.roles', 'live.streams', 'lpr.known_plates']);

function maskMap(map: JsonMap, path: readonly string[], may: May): JsonMap {
  if (path.length > deepest) throw new RangeError('too deep for a configuration');
  const isOfNames = mapsOfNames.has(path.slice(-2).join('.'));
  return mapped(map, (key, value) => {
    const place = [...path, key];
    if (isDropped(place)) return undefined;
    if (isFree(place)) return isPlainObject(value) ? {} : maskAll(value, {});
    // The UI offers to move a camera that has an address.
    if (key === 'host' && isSection('onvif', path) && !may.has('ptz')) return '';
    if (isMaskedWhole(place) || (!isOfNames && isSecretKey(key) && !isPlainObject(value)))
      return maskAll(value, { amounts: isAmount(key), roles: key === 'ffmpeg_cmds' });
    return maskValue(value, place, may);
  });
}

function maskValue(value: unknown, path: readonly string[], may: May): unknown {
  if (typeof value === 'string') return hasSecret(value) ? mask : value;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, [...path, ''], may));
  return isPlainObject(value) ? maskMap(value, path, may) : value;
}

/** Whether a place is a section of that name, and no camera or zone. */
function isSection(name: string, path: readonly string[]): boolean {
  return path.at(-1) === name && !parentsOfNames.has(path.at(-2) ?? '');
}

/** Options that the operator names, and Frigate hands on to other programs: any of them may be a secret. */
function isFree(path: readonly string[]): boolean {
  return ['provider_options', 'runtime_options', 'headers'].some((name) => isSection(name, path));
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
  // A detector may have options of any name.
  if (first === 'detectors' && path.length === 3) return !shownOfDetectors.has(key);
  return key.endsWith('_args') || key === 'ffmpeg_cmds' || (key === 'path' && path.at(-3) === 'inputs');
}

const shownOfDetectors: ReadonlySet<string> = new Set(['type', 'device', 'num_threads', 'model']);

/** What stays of a value that is masked as a whole. */
interface Kept {
  readonly amounts?: boolean;
  /** The purpose of a command. */
  readonly roles?: boolean;
}

/** Keeps values that are not text, and the presets of a recorder's arguments. */
function maskAll(value: unknown, kept: Kept, depth = 0): unknown {
  if (depth > deepest) throw new RangeError('too deep for a configuration');
  if (typeof value === 'string') return value === '' || /^preset-[\w-]+$/.test(value) ? value : mask;
  if (typeof value === 'number') return kept.amounts === true ? value : mask;
  if (Array.isArray(value)) return value.map((item) => maskAll(item, kept, depth + 1));
  if (!isPlainObject(value)) return value;
  return mapped(value, (key, inner) =>
    kept.roles === true && key === 'roles' && isTextList(inner) ? inner : maskAll(inner, kept, depth + 1),
  );
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
    const more = key === 'onvif' ? hostOf(inner) : isPart ? namesIn(inner) : {};
    return { ...switches(inner), ...more, ...(path.length === 0 && key === 'mqtt' ? topicOf(inner) : {}) };
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

/** How the messages of this recorder are told from those of another: Home Assistant reads it here. */
function topicOf(section: JsonMap): JsonMap {
  return mapped(section, (key, value) =>
    (key === 'topic_prefix' || key === 'client_id') && typeof value === 'string' ? value : undefined,
  );
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
