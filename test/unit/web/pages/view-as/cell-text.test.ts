import { expect, test } from 'vitest';
import {
  entriesOf,
  grantedFirst,
  refusalText,
  refusedAltogether,
} from '../../../../../src/web/pages/view-as/cell-text.ts';

const may = { state: 'may', reason: 'allowed' } as const;
const no = (reason: string) => ({ state: 'no', reason }) as const;
const closed = { state: 'closed', reason: 'role_outside_schedule' } as const;
const all = <T>(permission: T) => ({
  live: permission,
  history: permission,
  export: permission,
  ptz: permission,
  share: permission,
  talk: permission,
});

test.each<[name: string, entry: Parameters<typeof refusedAltogether>[0], reason: string | undefined]>([
  ['everything, for one reason', all(no('camera_not_granted')), 'camera_not_granted'],
  ['everything, for two reasons', { ...all(no('role_may_not')), ptz: no('messages_unfiltered') }, undefined],
  ['all but one thing', { ...all(no('role_may_not')), live: may }, undefined],
  ['everything, for now', all(closed), undefined],
])('refused: %s', (_, entry, reason) => {
  expect(refusedAltogether(entry)).toBe(reason);
});

test.each<[reason: string, words: string]>([
  ['camera_not_granted', 'No, neighbour doesn’t include it'],
  ['role_may_not', 'Not granted'],
  ['user_blocked', 'No: blocked'],
  ['uri_malformed', 'No'],
  ['constructor', 'No'],
])('%s: %s', (reason, words) => {
  expect(refusalText(reason, 'neighbour')).toBe(words);
});

test('each camera has the answers of its entry', () => {
  const [some, others] = [
    { cameras: ['a', 'b'], ...all(may) },
    { cameras: ['c'], ...all(closed) },
  ];
  const entries = entriesOf({ access: [some, others] });
  expect([...entries].map(([camera, { live }]) => [camera, live.state])).toEqual([
    ['a', 'may'],
    ['b', 'may'],
    ['c', 'closed'],
  ]);
});

test.each([
  [
    ['c', 'a'],
    ['a', 'c', 'b', 'd'],
  ],
  [[], ['a', 'b', 'c', 'd']],
  [['gone'], ['a', 'b', 'c', 'd']],
])('cameras of a role with %j stand in the order %j', (granted, shown) => {
  expect(grantedFirst(['a', 'b', 'c', 'd'], { granted })).toEqual(shown);
});
