import { isPlainObject, readJson } from '../json.ts';

/** A review of the recorder, as far as a push shows it. */
export interface Review {
  readonly id: string;
  readonly camera: string;
  /** Seconds since the epoch. */
  readonly startTime: number;
  /** Kinds of objects in it: `person`. */
  readonly labels: readonly string[];
  /** Id of its first event. Absent when it has none. */
  readonly event: string | undefined;
}

/** @returns the review of a message of the recorder's `/ws`; undefined for other messages, for detections, and for what is over */
export function alertIn(text: string): Review | undefined {
  const message = readJson(text);
  if (!isPlainObject(message) || message['topic'] !== 'reviews') return undefined;
  const { payload } = message;
  const read: unknown = typeof payload === 'string' ? readJson(payload) : payload;
  if (!isPlainObject(read) || (read['type'] !== 'new' && read['type'] !== 'update')) return undefined;
  const { after } = read;
  if (!isPlainObject(after) || after['severity'] !== 'alert') return undefined;
  const { id, camera, start_time: startTime, data } = after;
  if (typeof id !== 'string' || typeof camera !== 'string' || typeof startTime !== 'number') return undefined;
  if (!/^[\w.-]{1,64}$/.test(id) || camera === '' || camera.length > 255 || !Number.isFinite(startTime))
    return undefined;
  const { objects, audio, detections } = isPlainObject(data) ? data : {};
  const [event] = textsOf(detections);
  return {
    id,
    camera,
    startTime,
    labels: [...textsOf(objects), ...textsOf(audio)].slice(0, 4).map((label) => label.slice(0, 40)),
    event: event !== undefined && /^[\w.-]{1,64}$/.test(event) ? event : undefined,
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
