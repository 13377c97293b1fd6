import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { rememberEventCameras } from '../../../src/events/event-cameras.ts';
import { recorderDatabase, type RecorderDatabase } from '../../../src/events/recorder-database.ts';
import { recorderFile, type RecorderFile } from './recorder-file.ts';

let file: RecorderFile;
let database: RecorderDatabase;
let time: number;
beforeEach(() => {
  time = 1_000;
  file = recorderFile();
  database = recorderDatabase(file.path, () => time);
});
afterEach(() => {
  database.close();
  file.remove();
});

const cameraOf = (id: string) => database.camerasOfEvents([id]).get(id);

test('a deleted event keeps its camera for a minute, and is unknown then', () => {
  file.addEvent({ id: 'a', camera: 'front' });
  expect(cameraOf('a')).toBe('front');
  file.recorder.exec('DELETE FROM event');
  time += 59_999;
  expect(cameraOf('a')).toBe('front');
  time += 1;
  expect(cameraOf('a')).toBeUndefined();
});

test('looks up an unknown id each time', () => {
  expect(cameraOf('a')).toBeUndefined();
  file.addEvent({ id: 'a', camera: 'garage' });
  expect(cameraOf('a')).toBe('garage');
});

test('combines cached and uncached ids', () => {
  for (const id of ['a', 'b', 'c']) file.addEvent({ id, camera: `camera of ${id}` });
  expect(cameraOf('b')).toBe('camera of b');
  const found = database.camerasOfEvents(['a', 'b', 'none', 'c', 'a']);
  expect(Object.fromEntries(found)).toEqual({ a: 'camera of a', b: 'camera of b', c: 'camera of c' });
});

test('a new file has other events', () => {
  file.addEvent({ id: 'a', camera: 'front' });
  file.addEvent({ id: 'b', camera: 'front' });
  expect([cameraOf('a'), cameraOf('b')]).toEqual(['front', 'front']);
  const other = file.replace();
  other.exec(`INSERT INTO event (id, label, camera, start_time, zones, has_clip, has_snapshot, retain_indefinitely, data)
    VALUES ('a', 'person', 'garage', 1, '[]', 1, 1, 0, '{}')`);
  time += 1;
  expect([cameraOf('a'), cameraOf('b')]).toEqual(['garage', undefined]);
});

test('throws while the file is missing, even for cached ids', () => {
  file.addEvent({ id: 'a', camera: 'front' });
  expect(cameraOf('a')).toBe('front');
  file.remove();
  time += 1;
  expect(() => cameraOf('a')).toThrow(AppError);
  expect(() => cameraOf('a')).toThrow(AppError);
  file = recorderFile();
});

test('bounds the cache: the least recently used event is looked up again', () => {
  const asked: string[] = [];
  const cameras = rememberEventCameras(() => time, 100 * 260);
  const lookUp = (ids: readonly string[]) => {
    asked.push(...ids);
    return new Map(ids.map((id) => [id, 'front']));
  };
  const ask = (from: number, to: number) => {
    for (let i = from; i < to; i += 1) cameras.of([`event${i}`], lookUp);
    return asked.splice(0).length;
  };
  expect(ask(0, 50)).toBe(50);
  expect(ask(0, 50)).toBe(0);
  expect(ask(100, 1_000)).toBe(900);
  expect(ask(990, 1_000)).toBe(0);
  expect(ask(0, 50)).toBe(50);
});
