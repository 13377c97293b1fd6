import { afterAll, describe, expect, test } from 'vitest';
import { recorderDatabase } from '../../../src/events/recorder-database.ts';
import { completeResource, type Resource } from '../../../src/policy/resource.ts';
import { recorderFile } from '../events/recorder-file.ts';

const file = recorderFile();
for (const [id, camera] of [
  ['1.a', 'front'],
  ['2.b', 'garage'],
  ['3.c', 'front'],
] as const) {
  file.addEvent({ id, camera });
}
file.recorder.exec(`
  DELETE FROM export; DELETE FROM reviewsegment;
  INSERT INTO export VALUES
    ('exp1', 'front', 'One', 1, '/media/a/same.mp4', '/clips/export/exp1.webp', 0, NULL),
    ('exp2', 'garage', 'Two', 2, '/media/b/same.mp4', '/clips/export/exp2.webp', 0, NULL),
    ('exp3', 'garage', 'Three', 3, '/media/c/same.mp4', '/clips/export/exp3.webp', 0, NULL);
  INSERT INTO reviewsegment VALUES ('1.r', 'garage', 1, 2, 'alert', '/t.webp', '{}')`);
const database = recorderDatabase(file.path);
afterAll(() => {
  database.close();
  file.remove();
});

const event = (...ids: string[]): Resource => ({
  kind: 'recorded',
  in: 'events',
  ids,
  cameras: [],
  allThere: true,
});
const events = (ids: string[], cameras: string[] = []): Resource => ({
  kind: 'recorded',
  in: 'events',
  ids,
  cameras,
  allThere: false,
});
const recorded = (where: 'exports' | 'reviews', id: string): Resource => ({
  kind: 'recorded',
  in: where,
  ids: [id],
});

describe('the recorder’s cameras of', () => {
  test.each<[what: string, target: Resource, cameras: readonly string[] | 'unresolved']>([
    ['an event', event('1.a'), ['front']],
    ['an event that there is not', event('9.z'), 'unresolved'],
    ['an event in other letters', event('1.A'), 'unresolved'],
    ['events of one camera', events(['1.a', '3.c']), ['front']],
    ['events of two cameras', events(['1.a', '2.b']), ['front', 'garage']],
    ['events, one of which there is not', events(['1.a', '9.z']), ['front']],
    ['events that there are not', events(['8.y', '9.z']), []],
    ['no events', events([]), []],
    ['events, and a camera beside them', events(['1.a'], ['garage']), ['front', 'garage']],
    ['an export by its id', recorded('exports', 'exp1'), ['front']],
    ['an export by its thumbnail', recorded('exports', 'exp2.webp'), ['garage']],
    ['exports of one file name', recorded('exports', 'same.mp4'), ['front', 'garage']],
    ['an export that there is not', recorded('exports', 'other.mp4'), 'unresolved'],
    ['a review', recorded('reviews', '1.r'), ['garage']],
    ['a review that there is not', recorded('reviews', '2.r'), 'unresolved'],
  ])('%s', (_, target, cameras) => {
    expect(completeResource(target, database)).toEqual(
      cameras === 'unresolved' ? { kind: 'unresolved' } : { kind: 'cameras', cameras },
    );
  });
});

test('does not ask the recorder about any other target', () => {
  const fault = () => {
    throw new Error('was asked');
  };
  const recorder = { camerasOfEvents: fault, camerasOfExport: fault, camerasOfReview: fault };
  for (const target of [{ kind: 'neutral' }, { kind: 'cameras', cameras: ['front'] }] satisfies Resource[]) {
    expect(completeResource(target, recorder)).toBe(target);
  }
});
