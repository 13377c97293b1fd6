import { expect, test } from 'vitest';
import { lostNames } from '../../../../src/accounts/cameras/lost-names.ts';
import { createSeenCameras } from '../../../../src/accounts/cameras/seen-cameras.ts';
import { temporaryActivity } from '../../store/temporary-store.ts';

/** What the recorder had, one configuration after the other, and what is lost after the last one: its likely name, or null. */
const cases: ReadonlyArray<
  readonly [what: string, had: ReadonlyArray<readonly string[]>, lost: Record<string, string | null>]
> = [
  ['nothing was read', [], {}],
  ['the first configuration', [['porch', 'yard']], {}],
  [
    'the same again',
    [
      ['porch', 'yard'],
      ['yard', 'porch'],
    ],
    {},
  ],
  ['an empty answer', [['porch'], []], {}],
  ['a new camera', [['porch'], ['porch', 'yard']], {}],
  ['a camera that is dropped', [['porch', 'yard'], ['yard']], { porch: null }],
  [
    'one gone, one new',
    [
      ['porch', 'yard'],
      ['entrance', 'yard'],
    ],
    { porch: 'entrance' },
  ],
  [
    'one gone before another one is new',
    [['porch', 'yard'], ['yard'], ['entrance', 'yard']],
    { porch: 'entrance' },
  ],
  [
    'one new before another one is gone',
    [
      ['porch', 'yard'],
      ['porch', 'yard', 'shed'],
      ['yard', 'shed'],
    ],
    { porch: null },
  ],
  ['one gone, two new, one of them alike', [['porch'], ['porch_left', 'yard']], { porch: 'porch_left' }],
  ['one gone, two new, both alike', [['porch'], ['porch_1', 'porch_2']], { porch: null }],
  ['one gone, two new, neither alike', [['porch'], ['alley', 'yard']], { porch: null }],
  [
    'a slip of the pen',
    [
      ['frnot', 'yard'],
      ['front', 'back'],
    ],
    { frnot: 'front', yard: null },
  ],
  [
    'two gone, two new, alike in pairs',
    [
      ['cam_drive', 'cam_garden'],
      ['drive', 'garden'],
    ],
    { cam_drive: 'drive', cam_garden: 'garden' },
  ],
  ['two gone, one new, like both', [['cam1', 'cam2'], ['cam3']], { cam1: null, cam2: null }],
  [
    'two gone, one new, like one of them',
    [['porch', 'yard'], ['front_porch']],
    { porch: 'front_porch', yard: null },
  ],
  [
    'two gone, one after the other',
    [
      ['porch', 'yard'],
      ['entrance', 'yard'],
      ['entrance', 'meadow'],
    ],
    { porch: null, yard: 'meadow' },
  ],
  ['a camera that is back', [['porch', 'yard'], ['yard'], ['porch', 'yard']], {}],
  ['another name and back', [['porch'], ['entrance'], ['porch']], { entrance: 'porch' }],
  ['letters of another case', [['Porch'], ['porch', 'yard']], { Porch: 'porch' }],
  [
    'names of a hundred letters',
    [['a'.repeat(100)], ['b'.repeat(128), 'c'.repeat(128)]],
    { ['a'.repeat(100)]: null },
  ],
];

test.each(cases)('%s', async (_, had, lost) => {
  const seen = createSeenCameras(await temporaryActivity());
  for (const cameras of had) await seen.note(cameras);
  const found = lostNames(await seen.list()).map(({ camera, likely }) => [camera, likely ?? null]);
  expect(Object.fromEntries(found)).toEqual(lost);
});

test('only a camera that is gone can be forgotten, and it may come back', async () => {
  const seen = createSeenCameras(await temporaryActivity());
  for (const cameras of [['porch', 'yard'], ['yard']]) await seen.note(cameras);
  expect(await Promise.all(['porch', 'yard', 'shed'].map(seen.forget))).toEqual([true, false, false]);
  expect(lostNames(await seen.list())).toEqual([]);
  for (const cameras of [['porch', 'yard'], ['yard']]) await seen.note(cameras);
  expect(lostNames(await seen.list())).toEqual([{ camera: 'porch', likely: undefined }]);
});
