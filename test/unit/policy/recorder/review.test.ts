import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { alertIn } from '../../../../src/policy/recorder/review.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const after = {
  id: '1700000000.1-abc',
  camera: 'porch',
  severity: 'alert',
  start_time: 1_700_000_000.1,
  data: { objects: ['person'], audio: ['bark'], detections: ['1700000000.2-def'] },
};
const message = (changes: object = {}, type: unknown = 'new', topic = 'reviews') =>
  JSON.stringify({ topic, payload: JSON.stringify({ type, before: {}, after: { ...after, ...changes } }) });

test('a new alert is read, and one that became an alert', () => {
  const read = {
    id: after.id,
    camera: 'porch',
    startTime: after.start_time,
    labels: ['person', 'bark'],
    event: '1700000000.2-def',
  };
  expect(alertIn(message())).toEqual(read);
  expect(alertIn(message({}, 'update'))).toEqual(read);
  expect(alertIn(JSON.stringify({ topic: 'reviews', payload: { type: 'new', after } }))).toEqual(read);
});

test.each<[what: string, text: string]>([
  ['the end of a review', message({}, 'end')],
  ['a detection', message({ severity: 'detection' })],
  ['another topic', message({}, 'new', 'events')],
  ['no JSON', 'reviews'],
  ['no payload', JSON.stringify({ topic: 'reviews' })],
  ['a payload that is no JSON', JSON.stringify({ topic: 'reviews', payload: '{' })],
  ['no camera', message({ camera: undefined })],
  ['an empty camera', message({ camera: '' })],
  ['a long camera', message({ camera: 'x'.repeat(256) })],
  ['a time that is no number', message({ start_time: '1700000000' })],
  ['no time', message({ start_time: null })],
  ['an id that could be a path', message({ id: '../x' })],
])('%s is no alert', (_, text) => {
  expect(alertIn(text)).toBeUndefined();
});

test.each<[what: string, data: unknown, labels: readonly string[], event: string | undefined]>([
  ['nothing', undefined, [], undefined],
  ['other things', { objects: 'person', audio: [1, null], detections: {} }, [], undefined],
  ['an event that could be a path', { detections: ['../../logout'] }, [], undefined],
  ['many labels', { objects: ['a', 'b', 'c', 'd', 'e'] }, ['a', 'b', 'c', 'd'], undefined],
])('%s in its data', (_, data, labels, event) => {
  expect(alertIn(message({ data }))).toMatchObject({ labels, event });
});

test('no text of a recorder throws', () => {
  const json = fc.json().map((payload) => JSON.stringify({ topic: 'reviews', payload }));
  const nearly = fc
    .record({ id: fc.anything(), camera: fc.anything(), data: fc.anything(), severity: fc.constant('alert') })
    .map((changes) => message(changes));
  assertCases(
    fc.property(fc.oneof(fc.string(), fc.json(), json, nearly), (text) => {
      const found = alertIn(text);
      expect(found === undefined || found.labels.every((label) => label.length <= 40)).toBe(true);
    }),
  );
});
