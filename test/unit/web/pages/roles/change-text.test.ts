import { expect, test } from 'vitest';
import { changeText } from '../../../../../src/web/pages/roles/change-text.ts';

type Change = Parameters<typeof changeText>[0];
type NewRole = Parameters<typeof changeText>[1];

const nell = { users: 1, usernames: ['nell'], gains: [], loses: [], gains_may: [], loses_may: [] };
const role: NewRole = { name: 'neighbour', may: ['live'], keeps: ['front_door', 'driveway'] };
const many = Array.from({ length: 9 }, (_, index) => `fence_${String(index + 1)}`);

test.each<[change: Partial<Change>, role: Partial<NewRole>, lines: string[]]>([
  [{ gains: ['garage'] }, {}, ['nell gains Garage: live']],
  [{ loses: ['garage'] }, {}, ['nell loses Garage']],
  [{ gains_may: ['history', 'export'] }, {}, ['nell gains recordings and export on Front door and Driveway']],
  [{ loses_may: ['ptz'] }, { keeps: 'all' }, ['nell loses move on every camera']],
  [
    { gains: ['garage'], gains_may: ['history'] },
    { may: ['history', 'live'] },
    ['nell gains Garage: live and recordings', 'nell gains recordings on Front door and Driveway'],
  ],
  // Nothing is left on which it would count.
  [{ loses: ['garage'], loses_may: ['live'] }, { keeps: [] }, ['nell loses Garage']],
  [{ gains: many }, {}, ['nell gains Fence 1, Fence 2, Fence 3, Fence 4, Fence 5 and 4 more: live']],
  [{ users: 2, usernames: ['anna', 'nell'], loses: ['garage'] }, {}, ['anna and nell lose Garage']],
  [
    { users: 39, usernames: ['anna', 'bert', 'carl'], loses: ['garage'] },
    {},
    ['anna and 38 others lose Garage'],
  ],
  [{ users: 0, usernames: [], loses: ['garage'] }, {}, ['The role neighbour loses Garage']],
])('%j of %j: %j', (change, changed, lines) => {
  expect(changeText({ ...nell, ...change }, { ...role, ...changed })).toEqual(lines);
});
