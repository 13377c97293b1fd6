import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { outputOf } from '../support/postern-command.ts';
import { addShare } from '../support/share.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';

let directory: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'postern-test-'));
  await outputOf(directory, ['users', 'add', 'olaf'], { input: 'correct-horse-battery\n' });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the command on a terminal of its own, and types an answer to each question. @returns the terminal's output */
async function typed(command: string, answers: ReadonlyArray<readonly [question: string, answer: string]>) {
  const program = `${process.execPath} ${join(projectRoot, 'dist', 'postern.js')} ${command}`;
  const child = spawn('script', ['-qec', program, '/dev/null'], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory, TERM: 'dumb' },
  });
  let seen = '';
  child.stdout.on('data', (chunk) => (seen += String(chunk)));
  for (const [question, answer] of answers) {
    await vi.waitFor(() => expect(seen).toContain(question), { timeout: patience, interval: 20 });
    child.stdin.write(`${answer}\n`);
  }
  await once(child, 'close');
  return seen;
}

const twice = [
  ['Password: ', 'another-horse-battery'],
  ['Again: ', 'another-horse-battery'],
] as const;
const tokens = async () =>
  (await outputOf(directory, ['tokens', 'list'])).split('\n').filter((line) => line !== '').length;

test.each<[answer: string, said: string, left: number]>([
  ['', 'changed the password of olaf; API tokens that ended: 1', 0],
  ['n', 'changed the password of olaf', 1],
])(
  'a new password, typed, asks whether the API tokens end: %j',
  async (answer, said, left) => {
    await outputOf(directory, ['tokens', 'add', 'olaf', 'script']);
    const seen = await typed('users set-password olaf', [...twice, ['tokens too (1)? [Y/n]', answer]]);
    expect(seen).toContain(said);
    expect(seen).not.toContain('another-horse-battery');
    expect(await tokens()).toBe(left);
  },
  60_000,
);

test('and whether shares work, if there are any', async () => {
  const store = await openStore(storePath(directory), 5_000);
  await addShare(store, 'olaf');
  await store.destroy();
  const seen = await typed('users reset-factors olaf', [['shares too (1)? [Y/n]', 'n']]);
  expect(seen).toContain('olaf now signs in with the password alone');
  expect(seen).not.toContain('ended');
  expect(await typed('sessions end --user olaf', [['shares too (1)? [Y/n]', '']])).toContain(
    'ended every session of olaf; shares that ended: 1',
  );
});

test('and asks nothing if there are none', async () => {
  expect(await typed('users set-password olaf', twice)).not.toContain('[Y/n]');
});

test('early input is not shown, and none of it is lost', async () => {
  const seen = await typed('users set-password olaf', [
    ['Password: ', 'another-horse-battery\nanother-horse-battery'],
  ]);
  expect(seen).toContain('changed the password of olaf');
  expect(seen).not.toContain('another-horse-battery');
});
