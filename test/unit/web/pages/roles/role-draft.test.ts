import { expect, test } from 'vitest';
import { drafted, draftedPanes, draftOf } from '../../../../../src/web/pages/roles/role-draft.ts';

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
