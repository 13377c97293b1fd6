import { describe, expect, test } from 'vitest';
import { nextAsk, stateOf, type WallState } from '../../../../src/web/screen/wall-answer.ts';

const cameras = [{ name: 'front', title: 'Front door' }, { name: 'yard' }];

describe('an answer of the gate', () => {
  test.each<[what: string, status: number, body: Record<string, unknown>, state: unknown]>([
    [
      'opens the wall',
      200,
      { cameras, may: ['live'], is_open: true },
      {
        kind: 'open',
        cameras: [
          { name: 'front', title: 'Front door', stream: undefined },
          { name: 'yard', title: 'Yard', stream: undefined },
        ],
      },
    ],
    [
      'is closed by schedule',
      200,
      { cameras, is_open: false, opens_at: 20 },
      { kind: 'closed', opens: 20_000 },
    ],
    ['is closed for good', 200, { cameras, is_open: false }, { kind: 'closed', opens: undefined }],
    ['has no live pictures', 200, { cameras, may: ['history'], is_open: true }, { kind: 'not-live' }],
    ['ends it', 401, {}, { kind: 'over' }],
    ['suspends it', 403, {}, { kind: 'refused' }],
    ['is none', 0, {}, { kind: 'away' }],
    ['is of a proxy', 502, {}, { kind: 'away' }],
    ['has too many before it', 429, {}, { kind: 'away' }],
    ['is no answer of the gate', 200, {}, { kind: 'away' }],
  ])('that %s', (_, status, body, state) => {
    expect(stateOf({ status, body })).toEqual(state);
  });
});

describe('the next question', () => {
  test.each<[what: string, state: WallState, failures: number, wait: number]>([
    ['usually after a minute', { kind: 'open', cameras: [] }, -1, 60_000],
    ['as access opens', { kind: 'closed', opens: 130_000 }, -1, 30_500],
    ['not at once when clocks differ', { kind: 'closed', opens: 90_000 }, -1, 1_000],
    ['soon after the first failure', { kind: 'away' }, 0, 2_000],
    ['later after more', { kind: 'away' }, 3, 16_000],
    ['after a minute when it was signed out', { kind: 'over' }, 0, 60_000],
    ['later while it stays so', { kind: 'over' }, 3, 480_000],
    ['within ten minutes in any case', { kind: 'over' }, 1_000, 600_000],
    ['within half a minute in any case', { kind: 'away' }, 1_000, 30_000],
  ])('comes %s', (_, state, failures, wait) => {
    expect(nextAsk(state, 100_000, failures)).toBe(wait);
  });
});
