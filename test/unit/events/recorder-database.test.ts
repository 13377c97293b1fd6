import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import {
  recorderDatabase,
  recorderDatabaseFault,
  type EventRange,
  type RecorderDatabase,
} from '../../../src/events/recorder-database.ts';
import { recorderFile, type RecorderFile } from './recorder-file.ts';
import { slowness } from '../../support/patience.ts';
import { projectRoot } from '../../support/start-gateway.ts';

let file: RecorderFile;
let database: RecorderDatabase;
beforeEach(() => {
  file = recorderFile();
  database = recorderDatabase(file.path);
});
afterEach(() => {
  database.close();
  file.remove();
});

const everything = { labels: undefined, after: undefined, before: undefined, beforeId: undefined };
const idsOf = (rows: ReadonlyArray<{ readonly id: unknown }>) => rows.map(({ id }) => id);
const methods: ReadonlyArray<[name: string, call: () => unknown]> = [
  ['eventsById', () => database.eventsById(['a'])],
  ['newestEvents', () => database.newestEvents(everything, 100).places],
  ['newestEvents of a label', () => database.newestEvents({ ...everything, labels: ['dog'] }, 100).places],
  ['eventsOfFew', () => database.eventsOfFew(['front'], everything, 100)],
  ['camerasOfExport', () => database.camerasOfExport('a')],
  ['camerasOfReview', () => database.camerasOfReview('a')],
  ['cameras', () => database.cameras()],
];

describe('what is found', () => {
  beforeEach(() => {
    file.addEvent({ id: 'a', camera: 'front', label: 'dog', start_time: 10 });
    file.addEvent({ id: 'b', camera: 'back', label: 'cat', start_time: 30 });
    file.addEvent({ id: 'c', camera: 'front', label: 'cat', start_time: 20 });
    file.addEvent({ id: "d'; --", camera: 'a "camera"', label: 'cat', start_time: 5 });
  });

  test.each<[ids: readonly string[], found: readonly string[]]>([
    [['a'], ['a']],
    [
      ['c', 'a'],
      ['a', 'c'],
    ],
    [['A', 'aa', '', '%', 'nobody'], []],
    [["d'; --", '"'], ["d'; --"]],
    [[], []],
  ])('by ids %j', (ids, found) => {
    expect(new Set(idsOf(database.eventsById(ids)))).toEqual(new Set(found));
  });

  test.each<[range: Partial<EventRange>, found: readonly string[]]>([
    [{}, ['b', 'c', 'a', "d'; --"]],
    [{ labels: ['cat'] }, ['b', 'c', "d'; --"]],
    [{ labels: ['dog', 'cat'] }, ['b', 'c', 'a', "d'; --"]],
    [{ labels: ['dog', 'fox'] }, ['a']],
    [{ after: 5 }, ['b', 'c', 'a']],
    [{ after: 10, before: 30 }, ['c']],
    [{ after: 4.9, labels: ['cat'] }, ['b', 'c', "d'; --"]],
    [{ after: 30 }, []],
    [{ labels: [''] }, []],
    [{ labels: [] }, []],
    [{ before: 20 }, ['a', "d'; --"]],
    [{ before: 20, beforeId: 'd' }, ['c', 'a', "d'; --"]],
    [{ before: 20, beforeId: 'c' }, ['a', "d'; --"]],
    [{ labels: ['cat'], before: 21 }, ['c', "d'; --"]],
    [{ before: 5 }, []],
  ])('the newest first (%j)', (changes, found) => {
    const range = { ...everything, ...changes };
    const all = database.newestEvents(range, 100);
    expect([idsOf(all.places), all.goesOn, all.looked]).toEqual([found, false, found.length]);
    // Of several labels two may be four: never fewer, as long as there are more.
    const first = database.newestEvents(range, 2);
    expect(found.slice(0, first.places.length)).toEqual(idsOf(first.places));
    expect(first.places.length).toBeGreaterThanOrEqual(Math.min(2, found.length));
    expect(first.goesOn).toBe(first.places.length >= 2);
    const cameras = ['front', 'back', 'a "camera"'];
    expect(idsOf(database.eventsOfFew(cameras, range, 4) ?? [])).toEqual(found);
  });

  test.each<[cameras: readonly string[], most: number, found: readonly string[] | undefined]>([
    [['front'], 2, ['c', 'a']],
    [['front'], 1, undefined],
    [['front', 'a "camera"'], 3, ['c', 'a', "d'; --"]],
    [['front', 'a "camera"'], 2, undefined],
    [[], 0, []],
    [['fron', 'FRONT', '%'], 0, []],
  ])('of cameras that have few events: %j, %i', (cameras, most, found) => {
    const places = database.eventsOfFew(cameras, everything, most);
    expect(places && idsOf(places)).toEqual(found);
  });

  test('a place in the list', () => {
    expect(database.newestEvents(everything, 1).places).toEqual([
      { id: 'b', camera: 'back', startTime: 30n },
    ]);
  });

  test('the cameras that have events, sorted', () => {
    expect(database.cameras()).toEqual(['a "camera"', 'back', 'front']);
    file.recorder.exec('DELETE FROM event');
    expect(database.cameras()).toEqual([]);
  });

  test('what the recorder has just written', () => {
    expect(database.eventsById(['new'])).toEqual([]);
    file.addEvent({ id: 'new' });
    expect(idsOf(database.eventsById(['new']))).toEqual(['new']);
  });

  test('while the recorder writes in WAL mode', () => {
    file.recorder.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE');
    file.addEvent({ id: 'uncommitted' });
    expect(idsOf(database.eventsById(['a', 'uncommitted']))).toEqual(['a']);
    file.recorder.exec('COMMIT');
    expect(idsOf(database.eventsById(['uncommitted']))).toEqual(['uncommitted']);
  });
});

describe.each(methods)('%s says that the events are unavailable', (_, call) => {
  const unavailable = () => {
    let error: unknown;
    try {
      call();
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'events_unavailable', cause: expect.any(Error) as Error });
  };

  test('without a file, until it appears', () => {
    const bytes = readFileSync(file.path);
    rmSync(file.path);
    unavailable();
    writeFileSync(file.path, bytes);
    expect(call()).toEqual([]);
  });

  test('when the file disappears', () => {
    expect(call()).toEqual([]);
    rmSync(file.path);
    unavailable();
  });

  test('while the recorder has locked the file', () => {
    file.recorder.exec('BEGIN EXCLUSIVE');
    const started = performance.now();
    unavailable();
    expect(performance.now() - started).toBeLessThan(4_000 * slowness);
    file.recorder.exec('ROLLBACK');
    expect(call()).toEqual([]);
  });

  test.each<[what: string, make: (path: string) => void]>([
    [
      'is no database',
      (path) => writeFileSync(path, 'no database at all, but long enough for a header'.repeat(50)),
    ],
    ['is empty', (path) => writeFileSync(path, '')],
    ['is a directory', (path) => mkdirSync(path)],
    ["is no recorder's database", (path) => createDatabase(path, 'CREATE TABLE notes (id TEXT)')],
    ['has other columns', (path) => createDatabase(path, 'CREATE TABLE event (id TEXT, camera TEXT)')],
  ])('when it %s; and finds the right one later', (_, make) => {
    rmSync(file.path);
    make(file.path);
    unavailable();
    file.replace();
    expect(call()).toEqual([]);
  });
});

test('reads a replaced file', () => {
  file.addEvent({ id: 'old' });
  expect(idsOf(database.newestEvents(everything, 100).places)).toEqual(['old']);
  const other = file.replace();
  other.exec(`INSERT INTO event (id, label, camera, start_time, zones, has_clip, has_snapshot, retain_indefinitely, data)
    VALUES ('new', 'dog', 'front', 1, '[]', 0, 0, 0, '{}')`);
  expect(idsOf(database.newestEvents(everything, 100).places)).toEqual(['new']);
});

test('writes nothing, and creates no file', () => {
  const before = readFileSync(file.path);
  for (const [, call] of methods) call();
  expect(readFileSync(file.path).equals(before)).toBe(true);
  const missing = recorderDatabase(`${file.path}.missing`);
  expect(() => missing.cameras()).toThrow(AppError);
  expect(() => readFileSync(`${file.path}.missing`)).toThrow('ENOENT');
});

test('can be closed at any time, and opens again when needed', () => {
  database.close();
  expect(database.cameras()).toEqual([]);
  database.close();
  database.close();
  expect(database.cameras()).toEqual([]);
});

describe('reports the fault of the file to the operator', () => {
  const at = (path: string, make: (path: string) => unknown) => {
    make(path);
    return path;
  };
  test.each<[what: string, path: () => string, fault: RegExp | undefined]>([
    ['nothing', () => file.path, undefined],
    ['it is not there', () => `${file.path}.missing`, /^a file that is not there$/],
    ['it is below what is no directory', () => `${file.path}/recorder.db`, /^a file that is not there$/],
    ['it is a directory', () => at(`${file.path}.d`, mkdirSync), /^no regular file$/],
    [
      'it is no database',
      () => at(`${file.path}.txt`, (path) => writeFileSync(path, 'x'.repeat(5_000))),
      /^a file that is no SQLite database$/,
    ],
    [
      'it is of another program',
      () => at(`${file.path}.other`, (path) => createDatabase(path, 'CREATE TABLE event (id TEXT)')),
      /^a database that is no recorder's \(no such column: .+\)$/,
    ],
  ])('%s', (_, path, fault) => {
    const said = recorderDatabaseFault(path());
    if (fault === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(fault);
  });

  test('a locked file is no fault', () => {
    file.recorder.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    expect(recorderDatabaseFault(file.path)).toBeUndefined();
    file.recorder.exec('COMMIT');
  });
});

describe('the state of the file', () => {
  let time = 0;
  let changes: Array<string | undefined> = [];
  let watched: RecorderDatabase;
  beforeEach(() => {
    time = 0;
    changes = [];
    watched = recorderDatabase(
      file.path,
      () => time,
      (found) => changes.push(found?.fault),
    );
  });
  afterEach(() => watched.close());
  const read = (call: () => unknown) => {
    time += 10;
    try {
      call();
    } catch {
      // Its state is what is tested.
    }
  };

  test('is told once, however many requests find it, and once when it is over', () => {
    const bytes = readFileSync(file.path);
    rmSync(file.path);
    for (let i = 0; i < 5; i += 1) read(() => watched.cameras());
    expect([changes, watched.fault()]).toEqual([['missing'], 'missing']);
    writeFileSync(file.path, bytes);
    for (let i = 0; i < 5; i += 1) read(() => watched.cameras());
    expect([changes, watched.fault()]).toEqual([['missing', undefined], undefined]);
  });

  test('of a file that can be read in part lasts until a minute has passed without a fault, or it is replaced', () => {
    file.recorder.exec('DROP TABLE export');
    const both = () => {
      read(() => watched.camerasOfExport('a'));
      read(() => watched.cameras());
    };
    for (let i = 0; i < 5; i += 1) both();
    expect(changes).toEqual(['foreign']);
    time += 59_000;
    read(() => watched.cameras());
    expect(changes).toEqual(['foreign']);
    time += 1_000;
    read(() => watched.cameras());
    expect(changes).toEqual(['foreign', undefined]);
    both();
    expect(changes).toEqual(['foreign', undefined, 'foreign']);
    file.replace();
    both();
    expect([changes.length, changes.at(-1), watched.fault()]).toEqual([4, undefined, undefined]);
  });

  test('waits for a lock once, not with each request', () => {
    file.recorder.exec('BEGIN EXCLUSIVE');
    read(() => watched.cameras());
    const began = performance.now();
    for (let i = 0; i < 100; i += 1) read(() => watched.cameras());
    // A hundred waits would take ten seconds.
    expect(performance.now() - began).toBeLessThan(4_000 * slowness);
    file.recorder.exec('ROLLBACK');
    read(() => watched.cameras());
    expect(changes).toEqual(['locked', undefined]);
  });

  test('waits for no writer of a named pipe', () => {
    rmSync(file.path);
    execFileSync('mkfifo', [file.path]);
    expect(watched.fault()).toBe('not_a_file');
  });

  test('of a process that may open no more files is that, and passes', () => {
    const code = `
      import { closeSync, openSync } from 'node:fs';
      import { recorderDatabase } from ${JSON.stringify(join(projectRoot, 'src/events/recorder-database.ts'))};
      const database = recorderDatabase(${JSON.stringify(file.path)});
      const taken = [];
      try { for (;;) taken.push(openSync('/dev/null')); } catch {}
      const found = [database.fault()];
      for (const one of taken) closeSync(one);
      found.push(database.fault() ?? 'none');
      console.log(found.join());`;
    const command = 'ulimit -n 64; exec "$@"';
    const program = [process.execPath, '--input-type=module', '-e', code];
    expect(execFileSync('bash', ['-c', command, 'bash', ...program], { encoding: 'utf8' })).toBe(
      'too_few_files,none\n',
    );
  });
});

function createDatabase(path: string, sql: string): void {
  const made = new DatabaseSync(path);
  made.exec(sql);
  made.close();
}
