import { describe, expect, test } from 'vitest';
import { cellText, panesText, whenText } from '../../../../../src/web/pages/roles/access-text.ts';

const seconds = (moment: string) => Date.parse(moment) / 1000;
const now = { at: seconds('2026-11-23T12:00Z'), zone: 'Europe/Berlin' };

describe('when', () => {
  test.each<[isOpen: boolean, turns: string | null, words: string | undefined]>([
    [true, '2026-11-23T21:00Z', 'Until Monday 22:00'],
    [false, '2026-11-27T17:00Z', 'Opens Friday 18:00'],
    [false, '2026-12-18T17:00Z', 'Opens Friday, December 18 at 18:00'],
    [true, '2027-12-18T17:00Z', 'Until Saturday, December 18, 2027 at 18:00'],
    [false, null, 'Over'],
    [true, null, undefined],
  ])('open: %s, turns %s: %s', (isOpen, turns, words) => {
    const schedule = { is_open: isOpen, turns: turns === null ? null : seconds(turns) };
    expect(
      whenText(schedule, now)?.replace(/(\d+):00 PM/, (_, hour: string) => `${String(Number(hour) + 12)}:00`),
    ).toBe(words === undefined || words === 'Over' ? words : `${words} (Europe/Berlin)`);
  });

  test('always', () => {
    expect(whenText(null, now)).toBeUndefined();
  });
});

const no = { live: 'no', history: 'no', export: 'no', ptz: 'no', share: 'no', talk: 'no' } as const;

test.each([
  [undefined, 'No access'],
  [{ ...no, live: 'may' }, 'live'],
  [
    { live: 'may', history: 'may', export: 'may', ptz: 'may', share: 'may', talk: 'may' },
    'live, recordings, export, move, share, and talk',
  ],
  [{ ...no, live: 'closed', history: 'closed' }, 'live and recordings closed'],
  [{ ...no, live: 'may', history: 'closed' }, 'live; recordings closed'],
] as const)('%j: %s', (states, words) => {
  expect(panesText(states)).toBe(words);
});

test('a cell has its row, its camera, what may be done, and when it opens', () => {
  const panes = new Map([
    ['front_door', { ...no, live: 'closed' as const }],
    ['garage', { ...no, live: 'may' as const }],
  ]);
  const row = { name: 'sitter', role: 'sitter', isBlocked: false, schedule: null, panes };
  const of = (camera: string) => cellText(row, camera, 'Opens Friday 18:00');
  expect(of('front_door')).toBe('sitter, Front door: live closed, Opens Friday 18:00');
  expect(of('garage')).toBe('sitter, Garage: live');
  expect(of('attic')).toBe('sitter, Attic: No access');
});
