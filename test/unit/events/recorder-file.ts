import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const sample = new URL('../../support/recorder.db', import.meta.url);

export interface RecorderFile {
  readonly path: string;
  /** The recorder's own connection: it may write. */
  readonly recorder: DatabaseSync;
  /** Adds an event; what is not given is as in a plain event of `front`. */
  addEvent(event: { readonly id: string } & Readonly<Record<string, SQLInputValue>>): void;
  /** Puts the database of another recorder in the place of this one. */
  replace(): DatabaseSync;
  remove(): void;
}

const plainEvent = {
  label: 'person',
  camera: 'front',
  start_time: 100.5,
  zones: '[]',
  has_clip: 1,
  has_snapshot: 0,
  retain_indefinitely: 0,
  data: '{}',
};

/** A copy of the sample without its events: the recorder's own schema, and events of our own making. */
export function recorderFile(): RecorderFile {
  const directory = mkdtempSync(join(tmpdir(), 'postern-events-'));
  const path = join(directory, 'recorder.db');
  const open: DatabaseSync[] = [];
  const openEmpty = () => {
    copyFileSync(sample, path);
    const recorder = new DatabaseSync(path);
    recorder.exec('DELETE FROM event');
    open.push(recorder);
    return recorder;
  };
  const recorder = openEmpty();
  return {
    path,
    recorder,
    addEvent: (event) => {
      const row: Record<string, SQLInputValue> = { ...plainEvent, ...event };
      const names = Object.keys(row);
      const places = names.map(() => '?').join(', ');
      recorder
        .prepare(`INSERT INTO event (${names.join(', ')}) VALUES (${places})`)
        .run(...Object.values(row));
    },
    replace: () => {
      rmSync(path, { recursive: true, force: true });
      return openEmpty();
    },
    remove: () => {
      for (const file of open) file.close();
      rmSync(directory, { recursive: true });
    },
  };
}
