import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { isAuditEvent } from '../../src/audit/audit-events.ts';
import { projectRoot } from '../support/start-gateway.ts';

/** Runs the loop for some milliseconds past its first change, and kills it. @returns its output */
async function killedAfter(
  directory: string,
  milliseconds: number,
  args: readonly string[],
): Promise<string[]> {
  const program = join(projectRoot, 'test', 'support', 'audited-loop.ts');
  const child = spawn(process.execPath, [program, directory, ...args]);
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const ended = once(child, 'close');
  while (!output.includes('role_defined') && child.exitCode === null) await wait(10);
  await wait(milliseconds);
  child.kill('SIGKILL');
  await ended;
  expect(errors).toBe('');
  // The last line may be cut in two.
  return output.split('\n').slice(0, -1);
}

test('killed at any moment: what was answered is on record, once, and every record is whole', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-killed-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const said: string[] = [];
  const password: string[] = [];
  for (let run = 0; run < 6; run += 1) {
    const lines = await killedAfter(directory, Math.random() * 900, [String(run), ...password]);
    if (run === 0) password.push(lines[0]?.split(' ')[1] ?? '');
    said.push(...lines);

    const file = new DatabaseSync(join(directory, 'activity.db'));
    expect(file.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const rows = file.prepare('SELECT * FROM audit_records').all();
    file.close();
    for (const { event, result, kind, recorded_at: at, detail } of rows) {
      expect(isAuditEvent(String(event))).toBe(true);
      expect(String(result)).toMatch(/^(?:success|failure)$/);
      expect(String(kind)).toMatch(/^(?:account|session|refusal)$/);
      expect(Number(at)).toBeGreaterThan(1_700_000_000);
      if (detail !== null) expect(JSON.parse(String(detail))).toBeTypeOf('object');
    }
    const recorded = rows.map((row) => {
      if (row['event'] === 'role_defined') return `role_defined ${String(row['object'])}`;
      const detail = JSON.parse(String(row['detail'] ?? '{}')) as Record<string, unknown>;
      return row['event'] === 'user_role_changed'
        ? `user_role_changed ${String(detail['role'])}`
        : `${String(row['event'])} ${String(row['role'])}`;
    });
    const changes = said.filter((line) => !line.startsWith('password '));
    expect(changes.length).toBeGreaterThan(0);
    for (const line of changes)
      expect([line, recorded.filter((found) => found === line).length]).toEqual([line, 1]);
  }
  expect(said.some((line) => line.startsWith('login '))).toBe(true);
});
