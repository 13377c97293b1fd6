import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readHousePicture } from '../../../src/config/house-picture.ts';

const root = mkdtempSync(join(tmpdir(), 'postern-picture-'));
const directory = join(root, 'config');
mkdirSync(directory);
afterAll(() => rmSync(root, { recursive: true }));

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1');
const jpeg = Buffer.from('\xff\xd8\xff\xe0rest', 'latin1');
const webp = Buffer.from('RIFF\x00\x01\x00\x00WEBPrest', 'latin1');

test.each([
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', webp],
])('reads %s by its first bytes, whatever it is called', (type, bytes) => {
  writeFileSync(join(directory, 'a.png'), bytes);
  const picture = readHousePicture(directory, 'a.png');
  expect(picture.type).toBe(type);
  expect(Buffer.from(picture.bytes)).toEqual(bytes);
});

test('follows a link within the directory, as mounted configurations have them', () => {
  mkdirSync(join(directory, '..data'));
  writeFileSync(join(directory, '..data', 'linked.png'), png);
  symlinkSync(join('..data', 'linked.png'), join(directory, 'linked.png'));
  expect(readHousePicture(directory, 'linked.png').type).toBe('image/png');
});

test('has another version for another picture', () => {
  writeFileSync(join(directory, 'b.png'), png);
  const { version } = readHousePicture(directory, 'b.png');
  writeFileSync(join(directory, 'b.png'), Buffer.concat([png, png]));
  expect(readHousePicture(directory, 'b.png').version).not.toBe(version);
});

test.each<[what: string, make: (path: string) => void, found: RegExp]>([
  ['nothing', () => undefined, /does not exist/],
  ['a directory', (path) => mkdirSync(path), /not a file/],
  [
    'a link that leads out of the directory',
    (path) => {
      writeFileSync(join(root, 'secret.png'), png);
      symlinkSync(join(root, 'secret.png'), path);
    },
    /leads out/,
  ],
  [
    'a link to a directory whose name begins alike',
    (path) => {
      mkdirSync(`${directory}-old`);
      writeFileSync(join(`${directory}-old`, 'x.png'), png);
      symlinkSync(join(`${directory}-old`, 'x.png'), path);
    },
    /leads out/,
  ],
  ['a link to itself', (path) => symlinkSync(path, path), /ELOOP/],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path), /leads out/],
  ['a pipe, without waiting for it', (path) => execFileSync('mkfifo', [path]), /not a file/],
  ['a large file', (path) => writeFileSync(path, Buffer.concat([png, Buffer.alloc(524_288)])), /has 513 KiB/],
  ['an SVG with a script', (path) => writeFileSync(path, '<svg><script>alert(1)</script></svg>'), /else/],
  ['a page', (path) => writeFileSync(path, '<!doctype html><script>alert(1)</script>'), /else/],
  ['an empty file', (path) => writeFileSync(path, ''), /else/],
])('refuses %s', (what, make, found) => {
  const name = `${what.replaceAll(/\W/g, '-')}.png`;
  make(join(directory, name));
  expect(() => readHousePicture(directory, name)).toThrow(found);
});
