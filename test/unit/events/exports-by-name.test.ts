import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportsByName, type ExportsByName } from '../../../src/events/exports-by-name.ts';
import { openReadOnly, type SqliteFile } from '../../../src/store/sqlite/sqlite-file.ts';
import { recorderFile, type RecorderFile } from './recorder-file.ts';

let recorder: RecorderFile;
let file: SqliteFile;
let find: (name: string) => readonly string[];
let exportsNamed: ExportsByName;
let read: number;
beforeEach(() => {
  recorder = recorderFile();
  recorder.recorder.exec('DELETE FROM export');
  file = openReadOnly(recorder.path, 100);
  read = 0;
  exportsNamed = exportsByName({ prepare: counted });
  find = (name) => exportsNamed(name).map(({ camera }) => camera);
});
afterEach(() => {
  file.close();
  recorder.remove();
});

/** Counts the rows of exports that are read. */
function counted(sql: string) {
  const statement = file.prepare(sql);
  const all = () => {
    const rows = statement.all();
    read += rows.length;
    return rows;
  };
  return { all, get: () => statement.get() } as never;
}

function addExport(id: string, camera: string, video: string, date: number | string = 1): void {
  const sql = `INSERT INTO export VALUES (?, ?, 'n', ?, ?, ?, 0, NULL)`;
  recorder.recorder.prepare(sql).run(id, camera, date, video, `/clips/export/${id}.webp`);
}

test('a thousand requests read the exports once', () => {
  for (let n = 0; n < 20; n += 1) addExport(`e${n}`, `camera ${n}`, `/exports/v${n}.mp4`);
  for (let n = 0; n < 1_000; n += 1) expect(find(`none ${n}.mp4`)).toEqual([]);
  expect(find('v7.mp4')).toEqual(['camera 7']);
  expect(find('e7')).toEqual(['camera 7']);
  expect(find('e7.webp')).toEqual(['camera 7']);
  expect(read).toBe(20);
});

test('finds what the recorder has just written', () => {
  expect(find('v.mp4')).toEqual([]);
  addExport('a', 'front', '/exports/v.mp4');
  expect(find('v.mp4')).toEqual(['front']);
  addExport('b', 'back', '/elsewhere/v.mp4');
  expect(find('v.mp4')).toEqual(['front', 'back']);
  recorder.recorder.exec("DELETE FROM export WHERE id = 'a'");
  expect(find('v.mp4')).toEqual(['back']);
  recorder.recorder.exec("UPDATE export SET video_path = '/exports/w.mp4', camera = 'side'");
  expect([find('v.mp4'), find('w.mp4'), find('b')]).toEqual([[], ['side'], ['side']]);
});

test('the same in WAL mode, and only when it is committed', () => {
  recorder.recorder.exec('PRAGMA journal_mode = WAL');
  expect(find('v.mp4')).toEqual([]);
  recorder.recorder.exec('BEGIN');
  addExport('a', 'front', '/exports/v.mp4');
  expect(find('v.mp4')).toEqual([]);
  recorder.recorder.exec('COMMIT');
  expect(find('v.mp4')).toEqual(['front']);
});

test('returns the start by each name, and NaN for an invalid one', () => {
  addExport('a', 'front', '/exports/v.mp4', 1_793_001_000.5);
  addExport('b', 'back', '/exports/w.mp4', 'yesterday');
  for (const name of ['a', 'a.webp', 'v.mp4']) expect(exportsNamed(name)[0]?.start).toBe(1_793_001_000.5);
  expect(exportsNamed('b')[0]?.start).toBeNaN();
});
