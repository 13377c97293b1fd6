import * as fc from 'fast-check';
import type { SQLOutputValue } from 'node:sqlite';
import { expect, test } from 'vitest';
import { eventColumns, toEventJson, toEventRecord, type EventRow } from '../../../src/events/event-record.ts';
import { assertCases } from '../../support/assert-cases.ts';

const row: EventRow = {
  id: '1793000276.376447-de8gxd',
  label: 'dog',
  sub_label: 'rex',
  camera: 'garden',
  start_time: 1793000276.376447,
  end_time: 1793000364.286896,
  false_positive: 0,
  zones: '["porch", "kerb"]',
  thumbnail: '/9j/4AAQ',
  has_clip: 1,
  has_snapshot: 0,
  retain_indefinitely: 1,
  plus_id: 'p0',
  model_hash: '8673',
  detector_type: 'cpu',
  model_type: 'ssd',
  data: '{"score": 0.589, "box": [0.1, 0.2]}',
};

function read(changes: Partial<EventRow> = {}) {
  const bad: string[] = [];
  const badInJson: string[] = [];
  const stored = { ...row, ...changes };
  const record = toEventRecord(stored, (id, field) => bad.push(`${id} ${field}`));
  const json = toEventJson(stored, (id, field) => badInJson.push(`${id} ${field}`));
  // The same in JSON: fields, order and complaints.
  expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(record));
  expect(badInJson).toEqual(bad);
  return { record, bad };
}

test('the 17 fields of spec.md, in its order and types', () => {
  const { record, bad } = read();
  expect(record).toEqual({
    ...row,
    false_positive: false,
    zones: ['porch', 'kerb'],
    has_clip: true,
    has_snapshot: false,
    retain_indefinitely: true,
    data: { score: 0.589, box: [0.1, 0.2] },
  });
  const fields =
    'id label sub_label camera start_time end_time false_positive zones thumbnail has_clip has_snapshot ' +
    'retain_indefinitely plus_id model_hash detector_type model_type data';
  expect(Object.keys(record).join(' ')).toBe(fields);
  expect(eventColumns.join(' ')).toBe(fields);
  expect(bad).toEqual([]);
});

const variants = ['sub_label', 'end_time', 'false_positive', 'thumbnail', 'plus_id', 'model_hash'] as const;
test.each([...variants, 'detector_type', 'model_type'] as const)('%s may be missing', (field) => {
  const { record, bad } = read({ [field]: null });
  expect(record[field]).toBeNull();
  expect(bad).toEqual([]);
});

test.each<[field: keyof EventRow, stored: SQLOutputValue, read: unknown]>([
  ['zones', '', []],
  ['zones', 'porch', []],
  ['zones', '["porch"', []],
  ['zones', '{}', []],
  ['zones', 'null', []],
  ['zones', '["porch", 1]', []],
  ['zones', null, []],
  ['data', '', {}],
  ['data', '{"a":', {}],
  ['data', '[]', {}],
  ['data', 'null', {}],
  ['data', '"text"', {}],
  ['data', null, {}],
  ['end_time', 'yesterday', null],
  ['start_time', 'yesterday', 0],
  ['start_time', Infinity, 0],
  ['end_time', Infinity, null],
])('%s that cannot be read (%j) is empty, and told with the id', (field, stored, expected) => {
  const { record, bad } = read({ [field]: stored });
  expect(record[field]).toEqual(expected);
  expect(bad).toEqual([`${String(row.id)} ${field}`]);
});

const anyValue = fc.oneof(
  fc.constant(null),
  fc.string(),
  fc.double(),
  fc.bigInt(),
  fc.uint8Array(),
  fc.json(),
  fc.constantFrom('[]', '{}', '["a"]', '{"__proto__": 1, "a": 1e999}'),
);
const anyRow = fc.record(Object.fromEntries(eventColumns.map((column) => [column, anyValue])));

test('any row gives exactly these fields and types', () => {
  const typeOf = (value: unknown) =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const text = ['string'];
  const textOrNull = ['string', 'null'];
  const types: Readonly<Record<string, readonly string[]>> = {
    id: text,
    label: text,
    sub_label: textOrNull,
    camera: text,
    start_time: ['number'],
    end_time: ['number', 'null'],
    false_positive: ['boolean', 'null'],
    zones: ['array'],
    thumbnail: textOrNull,
    has_clip: ['boolean'],
    has_snapshot: ['boolean'],
    retain_indefinitely: ['boolean'],
    plus_id: textOrNull,
    model_hash: textOrNull,
    detector_type: textOrNull,
    model_type: textOrNull,
    data: ['object'],
  };
  assertCases(
    fc.property(anyRow, (values) => {
      const record = toEventRecord(values as EventRow, () => undefined);
      const sent = JSON.parse(JSON.stringify(record)) as Record<string, unknown>;
      expect(Object.keys(sent)).toEqual(Object.keys(types));
      for (const [field, allowed] of Object.entries(types)) {
        expect(allowed, field).toContain(typeOf(sent[field]));
      }
      for (const zone of record.zones) expect(typeof zone).toBe('string');
    }),
    { numRuns: 1_000 },
  );
});
