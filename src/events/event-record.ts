import type { SQLOutputValue } from 'node:sqlite';
import { isPlainObject, readJson } from '../policy/json.ts';

/** An event in responses: exactly these fields, in this order. Times are seconds since the epoch. */
export interface EventRecord {
  readonly id: string;
  readonly label: string;
  readonly sub_label: string | null;
  readonly camera: string;
  readonly start_time: number;
  readonly end_time: number | null;
  readonly false_positive: boolean | null;
  readonly zones: readonly string[];
  readonly thumbnail: string | null;
  readonly has_clip: boolean;
  readonly has_snapshot: boolean;
  readonly retain_indefinitely: boolean;
  readonly plus_id: string | null;
  readonly model_hash: string | null;
  readonly detector_type: string | null;
  readonly model_type: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export const eventColumns: ReadonlyArray<keyof EventRecord> = [
  'id',
  'label',
  'sub_label',
  'camera',
  'start_time',
  'end_time',
  'false_positive',
  'zones',
  'thumbnail',
  'has_clip',
  'has_snapshot',
  'retain_indefinitely',
  'plus_id',
  'model_hash',
  'detector_type',
  'model_type',
  'data',
];

export type EventRow = Readonly<Record<keyof EventRecord, SQLOutputValue>>;

/** @param onBadField called for every unreadable field, which is then empty */
export function toEventRecord(row: EventRow, onBadField: OnBadField): EventRecord {
  return { ...allButData(row, onBadField), data: readData(row, onBadField) ?? {} };
}

/**
 * @param onBadField as for `toEventRecord`
 * @returns the record as JSON. `data` is as the recorder wrote it: it is read to see that it is an object, and not written again
 */
export function toEventJson(row: EventRow, onBadField: OnBadField): string {
  const others = JSON.stringify(allButData(row, onBadField));
  const data = readData(row, onBadField) === undefined ? '{}' : String(row.data);
  return `${others.slice(0, -1)},"data":${data}}`;
}

type OnBadField = (id: string, field: string) => void;

function allButData(row: EventRow, onBadField: OnBadField): Omit<EventRecord, 'data'> {
  const id = String(row.id);
  const bad = (field: string) => onBadField(id, field);
  return {
    id,
    label: text(row.label) ?? '',
    sub_label: text(row.sub_label),
    camera: text(row.camera) ?? '',
    start_time: time(row.start_time, 'start_time', bad) ?? 0,
    end_time: time(row.end_time, 'end_time', bad),
    false_positive: row.false_positive === null ? null : flag(row.false_positive),
    zones: readZones(row.zones, bad),
    thumbnail: text(row.thumbnail),
    has_clip: flag(row.has_clip),
    has_snapshot: flag(row.has_snapshot),
    retain_indefinitely: flag(row.retain_indefinitely),
    plus_id: text(row.plus_id),
    model_hash: text(row.model_hash),
    detector_type: text(row.detector_type),
    model_type: text(row.model_type),
  };
}

function text(value: SQLOutputValue): string | null {
  return value === null ? null : String(value);
}

function flag(value: SQLOutputValue): boolean {
  return Boolean(value);
}

function time(value: SQLOutputValue, field: string, bad: (field: string) => void): number | null {
  if (value === null) return null;
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER)
    return number;
  bad(field);
  return null;
}

function readZones(value: SQLOutputValue, bad: (field: string) => void): readonly string[] {
  const zones = readJson(String(value));
  if (Array.isArray(zones) && zones.every((zone) => typeof zone === 'string')) return zones;
  bad('zones');
  return [];
}

/** @returns `undefined` if it cannot be read */
function readData(row: EventRow, onBadField: OnBadField): Readonly<Record<string, unknown>> | undefined {
  const data = readJson(String(row.data));
  if (isPlainObject(data)) return data;
  onBadField(String(row.id), 'data');
  return undefined;
}
