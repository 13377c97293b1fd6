import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, requireFileOrNone } from '../../../src/config/read-file.ts';
import { patience } from '../../support/patience.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

test('reads a file, also by a link', () => {
  const path = join(temporaryDirectory(), 'file');
  writeFileSync(path, 'türkis');
  symlinkSync(path, `${path}.link`);
  expect([readText(path), readText(`${path}.link`)]).toEqual(['türkis', 'türkis']);
  expect(() => readText(`${path}.none`)).toThrow('ENOENT');
  expect(() => requireFileOrNone(`${path}.none`)).not.toThrow();
});

test.each<[what: string, make: (path: string) => unknown, error: RegExp]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path]), /is a pipe, where a file belongs$/],
  ['a directory', (path) => mkdirSync(path), /is a directory \(EISDIR\), where a file belongs$/],
  [
    'a device that never ends',
    (path) => symlinkSync('/dev/zero', path),
    /is a device, where a file belongs$/,
  ],
  ['an empty device', (path) => symlinkSync('/dev/null', path), /is a device, where a file belongs$/],
  ['a link to itself', (path) => symlinkSync(path, path), /ELOOP/],
])('refuses %s', (_, make, error) => {
  const path = join(temporaryDirectory(), 'file');
  make(path);
  expect(() => readText(path)).toThrow(error);
  expect(() => requireFileOrNone(path)).toThrow(error);
});

test('refuses a socket', async () => {
  const path = join(temporaryDirectory(), 'socket');
  const server = createServer().listen(path);
  await once(server, 'listening');
  expect(() => readText(path)).toThrow(/ENXIO/);
  expect(() => requireFileOrNone(path)).toThrow(/is a socket, where a file belongs$/);
  server.close();
});

const refused = /a pipe|no regular file|is not a file|is no file|ENXIO|cannot be locked/;
const goesOn = [
  'self-signed certificate',
  'roles at the recorder',
  'postern.db, for its users',
  "recorder's database, to find it",
];

test('a pipe holds nothing that reads files', { timeout: patience }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['test/support/read-pipes.ts'], {
    encoding: 'utf8',
    timeout: patience / 2,
    killSignal: 'SIGKILL',
  });
  expect(stderr.replaceAll(/^.*Warning.*\n/gm, '')).toBe('');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBe(30);
  for (const line of lines)
    if (goesOn.some((name) => line.startsWith(`${name}: `))) expect(line).toMatch(/: went on without it$/);
    else expect(line).toMatch(refused);
});
