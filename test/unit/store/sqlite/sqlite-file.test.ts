import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openReadOnly } from '../../../../src/store/sqlite/sqlite-file.ts';
import { recorderFile } from '../../events/recorder-file.ts';

function open() {
  const recorder = recorderFile();
  onTestFinished(() => recorder.remove());
  const file = openReadOnly(recorder.path, 100);
  onTestFinished(() => file.close());
  return { recorder, file };
}

test.each<[sql: string]>([
  ['DELETE FROM event'],
  ['CREATE TABLE notes (id TEXT)'],
  ['PRAGMA journal_mode = WAL'],
  ["SELECT load_extension('evil')"],
])("the recorder's file is for reading only: %s", (sql) => {
  const { file } = open();
  expect(() => file.exec(sql)).toThrow(/readonly|not authorized/);
});

test('does not create a missing file', () => {
  const { recorder } = open();
  const path = `${recorder.path}.missing`;
  expect(() => openReadOnly(path, 100)).toThrow('unable to open');
  expect(existsSync(path)).toBe(false);
});
