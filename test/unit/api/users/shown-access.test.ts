import { expect, test } from 'vitest';
import { shownCameras } from '../../../../src/api/users/shown-access.ts';

const settings = {
  allCameras: () => ['side_gate', 'front', 'garage'],
  friendlyNames: () =>
    new Map([
      ['front', 'Front of the house'],
      ['garage', 'Workshop'],
      ['attic', 'Attic'],
    ]),
  recorderGroups: () =>
    new Map([
      ['outside', ['front', 'side_gate', 'attic']],
      ['both', ['garage']],
      ['inside', ['garage']],
    ]),
  defined: { definitions: new Map(), groups: new Map([['both', ['front']]]) },
};

test.each<[what: string, grant: ReadonlySet<string> | 'all', shown: ReturnType<typeof shownCameras>]>([
  [
    'all',
    'all',
    {
      allowed_cameras: ['side_gate', 'front', 'garage'],
      camera_names: { front: 'Front of the house', garage: 'Workshop' },
      camera_groups: [
        { name: 'outside', cameras: ['side_gate', 'front'] },
        { name: 'both', cameras: ['front'] },
        { name: 'inside', cameras: ['garage'] },
      ],
    },
  ],
  [
    'one with a name and a group, and one that no recorder has',
    new Set(['garage', 'attic']),
    {
      allowed_cameras: ['garage'],
      camera_names: { garage: 'Workshop' },
      camera_groups: [{ name: 'inside', cameras: ['garage'] }],
    },
  ],
  [
    'one without a name',
    new Set(['side_gate']),
    { allowed_cameras: ['side_gate'], camera_groups: [{ name: 'outside', cameras: ['side_gate'] }] },
  ],
  ['none', new Set(), { allowed_cameras: [] }],
])('cameras, names and groups of a grant: %s', (_, grant, shown) => {
  expect(shownCameras(settings, grant)).toEqual(shown);
});

test('groups whose names look the same on a page are one: the one of the gate', () => {
  const shown = shownCameras(
    {
      ...settings,
      recorderGroups: () =>
        new Map([
          ['Docks', ['front']],
          ['Back yard', ['side_gate']],
          ['DOCKS', ['garage']],
        ]),
      defined: {
        definitions: new Map(),
        groups: new Map([
          ['docks', ['front', 'garage']],
          ['back_yard', ['garage']],
        ]),
      },
    },
    'all',
  );
  expect(shown.camera_groups).toEqual([
    { name: 'docks', cameras: ['front', 'garage'] },
    { name: 'back_yard', cameras: ['garage'] },
  ]);
});
