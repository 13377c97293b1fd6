import { expect, test } from 'vitest';
import { pushText } from '../../../../src/features/push/review-text.ts';
import type { Review } from '../../../../src/policy/recorder/review.ts';

const review: Review = {
  id: '1793.5-abc',
  camera: 'front_door',
  startTime: 1_793_000_000.6,
  labels: ['person'],
  event: undefined,
};

const rows: ReadonlyArray<
  readonly [what: string, review: Partial<Review>, name: string | undefined, shown: object]
> = [
  ['a person', {}, undefined, { title: 'front door', body: 'Person', page: 'explore' }],
  ['by the name of the camera', {}, 'Front gate', { title: 'Front gate' }],
  ['two labels', { labels: ['delivery_van', 'dog'] }, undefined, { body: 'Delivery van, dog' }],
  ['without a label', { labels: [] }, undefined, { body: 'Something' }],
  ['with its event', { event: '1.5-x' }, undefined, { page: 'events/1.5-x' }],
  ['whole seconds, and the review that it replaces', {}, undefined, { at: 1_793_000_001, tag: '1793.5-abc' }],
  ['a long name', {}, 'x'.repeat(200), { title: expect.stringMatching(/^x{1,79}.?$/u) }],
  ['no control characters', {}, 'a\nb', { title: expect.not.stringContaining('\n') }],
];

test.each(rows)('%s', (_, more, name, shown) => {
  expect(JSON.parse(pushText({ ...review, ...more }, name, 'en'))).toMatchObject(shown);
});

test('in the language of the browser', () => {
  const shown = JSON.parse(pushText({ ...review, labels: [] }, undefined, 'de')) as Record<string, string>;
  expect(shown['language']).toBe('de');
  expect(shown['body']).not.toBe('Something');
});
