import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventRecord } from '../../../../../src/events/event-record.ts';
import { neighboursOf } from '../../../../../src/web/pages/event/neighbours.ts';
import { recordedEvent } from '../../../../support/recorded-event.ts';
import { assertCases } from '../../../../support/assert-cases.ts';

const profile = { role: 'family', allowed_cameras: ['garage'] };

/** Answers like the API, and notes the queries. */
function recorderOf(starts: readonly number[]) {
  const events = starts
    .map((start) => recordedEvent({ id: `e${start}`, start_time: start }))
    .toSorted((a, b) => b.start_time - a.start_time);
  const asked: URLSearchParams[] = [];
  const read = async (query: string): Promise<readonly EventRecord[]> => {
    const parameters = new URLSearchParams(query);
    asked.push(parameters);
    const after = Number(parameters.get('after') ?? -Infinity);
    const before = Number(parameters.get('before') ?? Infinity);
    return events
      .filter(({ start_time: start }) => start > after && start < before)
      .slice(0, Number(parameters.get('limit')));
  };
  return { events, asked, read };
}

test('the neighbours of an event are the nearest in time, at any distance', async () => {
  const moment = fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 5_000_000 }));
  await assertCases(
    fc.asyncProperty(fc.uniqueArray(moment, { minLength: 1, maxLength: 60 }), async (starts) => {
      const { events, asked, read } = recorderOf(starts);
      const place = Math.floor(events.length / 2);
      const event = events[place];
      if (event === undefined) return;
      expect(await neighboursOf(event, profile, read)).toEqual({
        newer: events[place - 1],
        older: events[place + 1],
      });
      // Limited users name their cameras; the search takes few requests, without pictures.
      expect(asked.length).toBeLessThanOrEqual(7);
      for (const query of asked)
        expect([query.get('cameras'), query.get('include_thumbnails')]).toEqual(['garage', '0']);
    }),
  );
});

test('sends no request for a user without cameras', async () => {
  const { asked, read } = recorderOf([1, 2, 3]);
  const noCameras = { role: 'family', allowed_cameras: [] };
  expect(await neighboursOf(recordedEvent({ id: 'e2', start_time: 2 }), noCameras, read)).toEqual({
    newer: undefined,
    older: undefined,
  });
  expect(asked).toEqual([]);
});
