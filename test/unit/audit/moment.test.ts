import { assert, date, oneof, property, string, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { parseMoment } from '../../../src/audit/moment.ts';

const zone = 'America/New_York';
const now = Date.UTC(2026, 6, 15, 12);

test.each<[text: string, moment: number | undefined]>([
  ['30s', now - 30_000],
  ['15m', now - 900_000],
  ['2h', now - 7_200_000],
  ['7d', now - 604_800_000],
  ['2w', now - 1_209_600_000],
  ['2026-01-31T18:00:00Z', Date.UTC(2026, 0, 31, 18)],
  ['2026-01-31 18:00Z', Date.UTC(2026, 0, 31, 18)],
  ['2026-01-31T18:00:00.500+01:00', Date.UTC(2026, 0, 31, 17) + 500],
  ['2026-01-31', Date.UTC(2026, 0, 31, 5)],
  ['2026-01-31T18:00', Date.UTC(2026, 0, 31, 23)],
  ['2024-02-29', Date.UTC(2024, 1, 29, 5)],
  ['2026-07-01 18:00', Date.UTC(2026, 6, 1, 22)],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['2026-01-31T25:00', undefined],
  ['2026-01-31T18:61', undefined],
  ['18:00', undefined],
  ['', undefined],
  ['-2h', undefined],
  ['2 h', undefined],
  ['2y', undefined],
  ['1800000000', undefined],
  ['now', undefined],
])('%s', (text, moment) => {
  expect(parseMoment(text, now, zone)).toBe(moment);
});

test('returns a moment or undefined for any text', () => {
  const odd = stringMatching(/^[0-9TZ:.+\- hdm]{0,30}$/);
  assert(
    property(oneof(string(), odd), (text) => {
      const moment = parseMoment(text, now, zone);
      if (moment !== undefined) expect(Number.isFinite(moment)).toBe(true);
    }),
  );
});

test('reads back any time in ISO 8601', () => {
  const time = date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true });
  assert(
    property(time, (sample) => {
      expect(parseMoment(sample.toISOString(), now, zone)).toBe(sample.getTime());
    }),
  );
});
