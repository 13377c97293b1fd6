import type { Capability } from '../capability.ts';
import type { Allowed } from '../decision.ts';
import { isPlainObject, readJson } from '../json.ts';
import { figuresFor } from './figures.ts';
import { isPermittedMove } from './ptz.ts';

/**
 * Messages of a recorder's `/ws`, by topic: `{"topic": …, "payload": …}`, the payload often as JSON in a text. Recorders before 0.18 send
 * every client the messages of all cameras. Users who are limited in any way do not get unknown messages.
 */

/** About the recorder as a whole. They show nothing of a camera, so no one needs a capability for them. */
const ofNoCamera: ReadonlySet<string> = new Set([
  'model_state',
  'embeddings_reindex_progress',
  'audio_transcription_state',
  'profile/state',
  'notifications/state',
  'notification_test',
]);

/** Where payloads name their camera: every name that is present. */
const namedBy: Readonly<Record<string, (payload: Entries) => readonly unknown[]>> = {
  events: beforeAndAfter,
  reviews: beforeAndAfter,
  tracked_object_update: ({ camera }) => [camera],
  triggers: ({ camera }) => [camera],
  camera_monitoring: ({ camera }) => [camera],
};

/** The begin of what a payload is about, in seconds since the epoch, if that may lie in the past: every time that is present. */
const begunBy: Readonly<Record<string, (payload: Entries) => readonly unknown[]>> = {
  events: (payload) => sidesOf(payload).map(({ start_time: start }) => start),
  reviews: (payload) => sidesOf(payload).map(({ start_time: start }) => start),
  tracked_object_update: ({ id }) => [timeOfId(id)],
  triggers: ({ event_id: id }) => [timeOfId(id)],
  // A search may find events of any time.
  job_state: () => [undefined],
};

/** Capability that a topic needs; all others need `live`. */
const capabilityFor: ReadonlyMap<string, Capability> = new Map([
  ['events', 'history'],
  ['reviews', 'history'],
  ['tracked_object_update', 'history'],
  ['triggers', 'history'],
  ['job_state', 'export'],
]);

/** Payloads with one entry per camera. */
const byCamera: ReadonlySet<string> = new Set(['camera_activity', 'audio_detections']);

/** The picture of all cameras, which roles that are limited to some do not get. */
const layoutOfAll = 'birdseye_layout';
const questionOfAll = 'birdseyeLayout';

/** Every topic about cameras that begins with no name. */
const ofCameras: ReadonlySet<string> = new Set([
  ...Object.keys(namedBy),
  ...byCamera,
  'job_state',
  'stats',
  layoutOfAll,
]);

/** Beginnings of topics about the recorder that are for admins, as the paths of that name are. */
const ofAdmins: ReadonlySet<string> = new Set(['notices', 'hardware', 'analytics']);

type Entries = Readonly<Record<string, unknown>>;

/** Rights of a user to see messages, and to change things by them. */
type Rights = Pick<Allowed, 'grant' | 'may' | 'since'>;

/**
 * @param text a message of the recorder
 * @returns the part for a user with these rights; `undefined` if nothing is left
 */
export function messageFor(text: string, { grant: granted, may, since }: Rights): string | undefined {
  const message = readJson(text);
  if (!isPlainObject(message) || typeof message['topic'] !== 'string') return undefined;
  const { topic, payload } = message;
  if (since !== undefined && !beginsSince(topic, payload, since)) return undefined;
  if (ofNoCamera.has(topic)) return text;
  if (!may.has(capabilityFor.get(topic) ?? 'live')) return undefined;
  if (topic === 'stats') return written(topic, payload, figuresFor(entriesOf(payload), granted));
  if (granted === 'all') return isAboutCameras(topic) ? text : undefined;
  const named = Object.hasOwn(namedBy, topic) ? namedBy[topic] : undefined;
  if (named !== undefined) return areGranted(named(entriesOf(payload)), granted) ? text : undefined;
  if (byCamera.has(topic)) return written(topic, payload, grantedEntries(entriesOf(payload), granted));
  if (topic === 'job_state') return written(topic, payload, jobsFor(entriesOf(payload), granted));
  return granted.has(beginOf(topic)) ? text : undefined;
}

/** The camera of a topic about one, or the zone, whose messages may be about several cameras. */
function beginOf(topic: string): string {
  return topic.slice(0, Math.max(0, topic.indexOf('/')));
}

function isAboutCameras(topic: string): boolean {
  const begin = beginOf(topic);
  return ofCameras.has(topic) || (begin !== '' && !ofAdmins.has(begin));
}

/** Without a name, no camera is granted. */
function areGranted(names: readonly unknown[], granted: ReadonlySet<string>): boolean {
  return names.length > 0 && names.every((name) => typeof name === 'string' && granted.has(name));
}

/** A new event has no `before`, and one that is over may have no `after`. */
function beforeAndAfter(payload: Entries): readonly unknown[] {
  return sidesOf(payload).map(({ camera }) => camera);
}

function sidesOf({ before, after }: Entries): readonly Entries[] {
  return [before, after].filter((side) => side !== undefined && side !== null).map(entriesOf);
}

function beginsSince(topic: string, payload: unknown, since: number): boolean {
  const begun = Object.hasOwn(begunBy, topic) ? begunBy[topic]?.(entriesOf(payload)) : [];
  return begun?.every((time) => typeof time === 'number' && time * 1_000 >= since) === true;
}

/** An event's id begins with its time. */
function timeOfId(id: unknown): number | undefined {
  const [time] = (typeof id === 'string' && /^\d{9,12}(?:\.\d+)?(?=-)/.exec(id)) || [];
  return time === undefined ? undefined : Number(time);
}

function grantedEntries(entries: Entries, granted: ReadonlySet<string>): Entries | undefined {
  const kept = Object.entries(entries).filter(([camera]) => granted.has(camera));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Jobs by kind: each names its camera, possibly in its results, or consists of others that do. */
function jobsFor(jobs: Entries, granted: ReadonlySet<string>): Entries | undefined {
  const kept = Object.entries(jobs).flatMap(([kind, job]) => {
    const left = isPlainObject(job) ? jobFor(job, granted) : undefined;
    return left === undefined ? [] : [[kind, left] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function jobFor(job: Entries, granted: ReadonlySet<string>): Entries | undefined {
  const results = entriesOf(job['results']);
  const named = [job, results]
    .flatMap(({ camera, source_camera: source }) => [camera, source])
    .filter((name) => name !== undefined && name !== null);
  const parts = results['jobs'];
  if (!Array.isArray(parts)) return areGranted(named, granted) ? job : undefined;
  if (named.length > 0 && !areGranted(named, granted)) return undefined;
  const kept = parts.flatMap((part) => (isPlainObject(part) ? (jobFor(part, granted) ?? []) : []));
  return kept.length === 0 ? undefined : { ...job, results: { ...results, jobs: kept } };
}

/** In the form in which the payload came. */
function written(topic: string, payload: unknown, kept: Entries | undefined): string | undefined {
  if (kept === undefined) return undefined;
  return JSON.stringify({ topic, payload: typeof payload === 'string' ? JSON.stringify(kept) : kept });
}

/** @returns an empty object for anything but an object, or one as text */
function entriesOf(value: unknown): Entries {
  const read = typeof value === 'string' ? readJson(value) : value;
  return isPlainObject(read) ? read : {};
}

/** A client may request only the recorder's state once more. Every other message changes something. */
const questions: ReadonlySet<string> = new Set([
  'onConnect',
  'modelState',
  'audioTranscriptionState',
  'embeddingsReindexProgress',
  'jobState',
]);

/**
 * The recorder may treat everyone as admin, so only messages that are known to be harmless reach it.
 * @param text a message of anyone but an admin
 * @returns the message for the recorder, rebuilt; `undefined` if there is none
 */
export function requestOf(text: string, rights: Rights): string | undefined {
  const message = readJson(text);
  if (!isPlainObject(message) || typeof message['topic'] !== 'string') return undefined;
  const { topic, payload } = message;
  const seesAll = rights.grant === 'all' && rights.may.has('live');
  if (questions.has(topic) || (seesAll && topic === questionOfAll))
    return JSON.stringify({ topic, payload: '' });
  return isPermittedMove(topic, payload, rights) ? JSON.stringify({ topic, payload }) : undefined;
}
