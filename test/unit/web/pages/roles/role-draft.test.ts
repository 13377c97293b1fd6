import { expect, test } from 'vitest';
import { drafted, draftedPanes, draftOf, changeText } from '../../../../../src/web/pages/roles/role-draft.ts';

type Role = Parameters<typeof drafted>[0];
type Draft = Parameters<typeof drafted>[2];

const family: Role = { name: 'family', cameras: ['front', 'yard'], access: null };
const guard: Role = {
  name: 'guard',
  cameras: ['front'],
  access: { groups: ['outside'], may: ['live'], hours: '07:00-19:00' },
};

test('a draft begins with what the role has', () => {
  expect(draftOf(family, 'garage')).toEqual({ seesCamera: false, may: ['live', 'history', 'export'] });
  expect(draftOf(guard, 'front')).toEqual({ seesCamera: true, may: ['live'] });
});

test.each<[role: Role, camera: string, draft: Draft, cameras: string[], access: Role['access']]>([
  [family, 'front', draftOf(family, 'front'), ['front', 'yard'], null],
  [
    family,
    'garage',
    { seesCamera: true, may: ['live', 'history', 'export'] },
    ['front', 'yard', 'garage'],
    null,
  ],
  [family, 'front', { seesCamera: false, may: ['live', 'history', 'export'] }, ['yard'], null],
  [family, 'front', { seesCamera: true, may: ['live'] }, ['front', 'yard'], { may: ['live'] }],
  // The rest of the access stays, and what is the default is not written.
  [
    guard,
    'front',
    { seesCamera: true, may: ['live', 'history', 'export'] },
    ['front'],
    { groups: ['outside'], hours: '07:00-19:00' },
  ],
  [
    { name: 'viewer', cameras: [], access: { may: ['live'] } },
    'front',
    { seesCamera: false, may: ['live', 'history', 'export', 'ptz', 'share', 'talk'] },
    [],
    null,
  ],
])('%j, %s, %j', (role, camera, draft, cameras, access) => {
  expect(drafted(role, camera, draft)).toEqual({ cameras, access });
});

test('panes are lit while the schedule is open', () => {
  expect(draftedPanes(['live'], true)).toEqual({
    live: 'may',
    history: 'no',
    export: 'no',
    ptz: 'no',
    share: 'no',
    talk: 'no',
  });
  expect(draftedPanes(['live', 'ptz'], false)).toEqual({
    live: 'closed',
    history: 'no',
    export: 'no',
    ptz: 'closed',
    share: 'no',
    talk: 'no',
  });
});

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
