import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { houseFileOf, type Face } from '../../../../src/access/settings/house.ts';
import type { Change } from '../../../../src/store/permit.ts';

let directory = '';
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'postern-house-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const permitted = (async (permit, work) => {
  const permission = await permit(undefined as never);
  return work(undefined as never, { ...permission, alert: () => undefined });
}) as Change;
const unset = { name: undefined, logo: undefined, accent: undefined, landing: 'home' } as const;
const file = (check: (text: string) => () => void = () => () => undefined) =>
  houseFileOf({ ui: unset }, permitted, directory, check);
const allowed = async () => undefined as never;

test.each<[what: string, before: string, face: Face, after: string]>([
  [
    'adds a face to an empty file',
    '',
    { name: 'Willow Lane', accent: '#0b5cad' },
    'ui:\n  name: Willow Lane\n  accent: "#0b5cad"\n',
  ],
  [
    'keeps comments, the picture and keys of the recorder',
    '# mine\nui:\n  logo: house.png # drawn\n  timezone: Europe/Berlin\n  accent: red\n',
    { name: null, accent: '#000000' },
    '# mine\nui:\n  logo: house.png # drawn\n  timezone: Europe/Berlin\n  accent: "#000000"\n',
  ],
  [
    'removes a section that nothing is left of',
    'a: 1\nui:\n  name: x\n',
    { name: null, accent: null },
    'a: 1\n',
  ],
  [
    'writes a name that looks like YAML as text',
    '',
    { name: 'a: [b] # c', accent: null },
    "ui:\n  name: 'a: [b] # c'\n",
  ],
])('%s', async (_, before, face, after) => {
  const path = join(directory, 'config.yml');
  writeFileSync(path, before);
  await file().set(face, allowed);
  expect(readFileSync(path, 'utf8').replaceAll('"', "'")).toBe(after.replaceAll('"', "'"));
});

test('writes nothing without a permit, nor what is no configuration', async () => {
  const face = { name: 'Willow Lane', accent: null };
  const refused = async () => {
    throw new Error('withdrawn');
  };
  await expect(file().set(face, refused)).rejects.toThrow('withdrawn');
  const invalid = () => {
    throw new Error('no configuration');
  };
  await expect(file(invalid).set(face, allowed)).rejects.toThrow('no configuration');
  expect(() => readFileSync(join(directory, 'config.yml'))).toThrow(/ENOENT/);
});
