import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { goodPassword } from '../../support/log-in.ts';
import { outputOf } from '../../support/postern-command.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const temporary = mkdtempSync(join(tmpdir(), 'postern-output-'));
const withAda = join(temporary, 'with-ada');
beforeAll(async () => {
  mkdirSync(withAda);
  await outputOf(withAda, ['users', 'add', 'ada', '--role', 'admin'], { input: goodPassword });
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(temporary, 'directory-'));
  cpSync(withAda, directory, { recursive: true });
});

/** @param stdout `closed`: a pipe whose reader is gone before anything is written */
async function run(args: readonly string[], stdout: 'closed' | number) {
  const child = spawn(process.execPath, [join(projectRoot, 'dist', 'postern.js'), ...args], {
    env: { PATH: process.env['PATH'], SERVICE_CONFIG_DIR: directory },
    stdio: ['pipe', stdout === 'closed' ? 'pipe' : stdout, 'pipe'],
  });
  child.stdout?.destroy();
  let errors = '';
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  child.stdin?.on('error', () => {}).end(goodPassword);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, errors };
}

describe('a reader that leaves before the end, as head does', () => {
  test.each([
    ['audit'],
    ['audit', '--json'],
    ['users', 'list'],
    ['config', 'check'],
    ['--help'],
    // An endless command ends with its reader.
    ['audit', '--follow'],
  ])('is no error: %s %s', async (...args) => {
    expect(await run(args, 'closed')).toEqual({ status: 0, errors: '' });
  });

  test('does not stop a command half way', async () => {
    const args = ['users', 'add', 'vera', '--role', 'viewer'];
    expect((await run(args, 'closed')).status).toBe(0);
    expect(await outputOf(directory, ['users', 'list'])).toContain('vera');
  });
});

test('reports a full disk in one line, with status 1', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  expect(await run(['users', 'list'], full)).toEqual({
    status: 1,
    errors: 'postern: the output cannot be written (ENOSPC)\n',
  });
});
