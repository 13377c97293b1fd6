import { afterAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { recorderDatabase } from '../../../src/events/recorder-database.ts';
import { recorderFile } from './recorder-file.ts';

const sample = recorderDatabase(new URL('../../support/recorder.db', import.meta.url).pathname);
const file = recorderFile();
const names = ['100%.mp4', 'a_b.mp4', "it's.mp4", 'say "x".mp4', 'été.mp4', 'a.mp4', 'twice.mp4'];
const insert = file.recorder.prepare(`INSERT INTO export VALUES (?, ?, 'n', 1, ?, '/t/none.webp', 0, NULL)`);
for (const name of names) insert.run(`id of ${name}`, `camera of ${name}`, `/media/${name}`);
insert.run('again', 'another camera', '/elsewhere/twice.mp4');
const database = recorderDatabase(file.path);
afterAll(() => {
  database.close();
  sample.close();
  file.remove();
});

describe('the camera of an export of the sample', () => {
  test.each<[name: string, cameras: readonly string[]]>([
    ['exp1', ['front_door']],
    ['exp1.webp', ['front_door']],
    ['front_door_parcel.mp4', ['front_door']],
    ['exp2', ['garage']],
    ['night-in-the-garage.mp4', ['garage']],
    ['exp3', ['back_yard']],
    ['exp3.webp', ['back_yard']],
    ['fox 3.mp4', ['back_yard']],
    ['EXP1', []],
    ['exp', []],
    ['garage.mp4', []],
    ['3.mp4', []],
    ['fox%3.mp4', []],
    ['', []],
  ])('%j: %j', (name, cameras) => {
    expect(sample.camerasOfExport(name)).toEqual(cameras);
  });
});

describe('matches names of exports exactly', () => {
  test.each(names.filter((name) => name !== 'twice.mp4'))('%s', (name) => {
    expect(database.camerasOfExport(name)).toEqual([`camera of ${name}`]);
    expect(database.camerasOfExport(`id of ${name}`)).toEqual([`camera of ${name}`]);
  });

  test.each(['%', '%.mp4', '_.mp4', '100_.mp4', 'axb.mp4', "' OR 1=1 --", '.mp4', 'A.mp4'])(
    '%s is none',
    (name) => {
      expect(database.camerasOfExport(name)).toEqual([]);
    },
  );

  test('returns both cameras for a file name of two exports', () => {
    expect(database.camerasOfExport('twice.mp4').toSorted()).toEqual([
      'another camera',
      'camera of twice.mp4',
    ]);
  });
});

test('returns the cameras of existing events', () => {
  const ids = ['1793000276.376447-de8gxd', '1793000935.726501-j8ht9l', 'none'];
  expect(sample.camerasOfEvents(ids)).toEqual(
    new Map([
      [ids[0], 'back_yard'],
      [ids[1], 'front_door'],
    ]),
  );
  expect(sample.camerasOfEvents([])).toEqual(new Map());
});

test('the camera of a review', () => {
  file.recorder.exec(`INSERT INTO reviewsegment VALUES ('1.r', 'garage', 1, 2, 'alert', '/t.webp', '{}')`);
  expect(database.camerasOfReview('1.r')).toEqual(['garage']);
  expect(database.camerasOfReview('1.R')).toEqual([]);
});

test('throws while the database is missing', () => {
  const away = recorderDatabase(`${file.path}.missing`);
  for (const look of [
    () => away.camerasOfEvents(['a']),
    () => away.camerasOfExport('a'),
    () => away.camerasOfReview('a'),
  ]) {
    expect(look).toThrow(AppError);
  }
});

test('returns the start that the recorder has, and nothing for unknown ids', () => {
  const id = '1793171721.544347-5lmtzv';
  expect([...sample.startsOfEvents([id, 'none'])]).toEqual([[id, 1_793_171_721.544347]]);
  expect(sample.startsOfExport('exp1')).toEqual(sample.startsOfExport('front_door_parcel.mp4'));
  expect(sample.startsOfExport('exp1')[0]).toBeGreaterThan(1_793_000_000);
  expect([sample.startsOfExport('none'), sample.startsOfReview('none')]).toEqual([[], []]);
});
