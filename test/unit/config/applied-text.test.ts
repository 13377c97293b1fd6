import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appliedFile, keepApplied, readApplied } from '../../../src/config/applied-text.ts';
import { createConfigurationFile, whileWriting } from '../../../src/config/configuration-file.ts';
import { lossOf } from '../../../src/config/lost-configuration.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

const one = 'auth: {}\n';
const two = 'auth: {}\ncontact: Zoë\n';

test('keeps texts for their owner alone', async () => {
  const directory = temporaryDirectory();
  expect(readApplied(directory)).toEqual([]);
  expect(await keepApplied(directory, [one])).toBeUndefined();
  expect(readFileSync(appliedFile(directory), 'utf8')).toBe(one);
  writeFileSync(appliedFile(directory), one, { mode: 0o644 });
  await keepApplied(directory, [one, two]);
  expect(readApplied(directory)).toEqual([one, two]);
  expect(statSync(appliedFile(directory)).mode & 0o777).toBe(0o600);
  await keepApplied(directory, []);
  expect(existsSync(appliedFile(directory))).toBe(false);
});

test('is removed where it cannot be written', async () => {
  const directory = temporaryDirectory();
  await keepApplied(directory, [two]);
  mkdirSync(join(directory, 'config.yml.applied.new'));
  expect(await keepApplied(directory, [one])).toEqual(expect.any(String));
  expect(readApplied(directory)).toEqual([]);
});

test('a link in its place leads nowhere', async () => {
  const directory = temporaryDirectory();
  const other = join(directory, 'other');
  writeFileSync(other, 'untouched');
  symlinkSync(other, appliedFile(directory));
  await keepApplied(directory, [one]);
  expect(readFileSync(other, 'utf8')).toBe('untouched');
  expect(readApplied(directory)).toEqual([one]);
});

test('bytes that are no text are no applied text', () => {
  const directory = temporaryDirectory();
  writeFileSync(appliedFile(directory), Buffer.from([0xff, 0xfe]));
  expect(readApplied(directory)).toEqual([]);
});

test('a crash at any moment of a write leaves a file that the next start takes', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'config.yml');
  const isTaken = () =>
    lossOf(readApplied(directory), readFileSync(file, 'utf8'), 'start')?.problem === undefined;
  writeFileSync(file, two);
  await keepApplied(directory, [two]);
  await whileWriting(directory, two, one, async () => {
    expect(isTaken()).toBe(true);
    writeFileSync(file, one);
    expect(isTaken()).toBe(true);
    return true;
  });
  expect(readApplied(directory)).toEqual([one]);
  const failing = whileWriting(directory, one, two, () => Promise.reject(new Error('a full disk')));
  await expect(failing).rejects.toThrow('a full disk');
  expect(readApplied(directory)).toEqual([one]);
});

test('a change of a page that takes the end away is no cut', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'config.yml'), two);
  await keepApplied(directory, [two]);
  const file = createConfigurationFile(directory, () => () => {});
  await file.change('settings changed', (document) => document.delete('contact'));
  const found = readFileSync(join(directory, 'config.yml'), 'utf8');
  expect(found).toBe(one);
  expect(lossOf(readApplied(directory), found, 'reload')).toBeUndefined();
  rmSync(directory, { recursive: true });
});
