import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/start-gateway.ts';
import { canHere } from '../support/can-here.ts';

const canMount = canHere(
  'root and mount namespaces',
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0,
);

test.runIf(canMount)(
  'a disk that is full or read-only: what can still work does, the rest reports why, and nothing is half done',
  () => {
    // A disk of its own, in a mount namespace that ends with the program.
    const disk = mkdtempSync(join(tmpdir(), 'postern-disk-'));
    const script = 'set -e; mount -t tmpfs -o size=2m postern "$1"; exec "$2" "$3" "$1"';
    const program = join(projectRoot, 'test', 'support', 'disk-faults.ts');
    const result = spawnSync(
      'unshare',
      ['-m', 'bash', '-c', script, 'disk', disk, process.execPath, program],
      {
        cwd: projectRoot,
        encoding: 'utf8',
      },
    );
    rmdirSync(disk);
    expect(result.stderr).toBe('');
    expect(result.stdout.trim().split('\n')).toEqual([
      'start in a full directory: DISK/config/postern.db cannot be written, the disk is full (database or disk is full): make room; half files: none',
      'start with room: started',
      'role change, full: 409, config.yml unchanged',
      'role change, room for a part of it: 409, config.yml unchanged',
      'role removal, room for config.yml alone: 503, its user sees garage',
      'role removal, full: 409, its user sees garage',
      'login, full: 200',
      'decision, full: 200',
      'internal entry point, full: 200',
      'readiness, full: 200 degraded store',
      `logout for */*, full: 503 application/json, cookie cleared, "Signed out here only: the session couldn't be ended, and stays valid until it expires", session 200`,
      'logout for text/html, full: 503 text/html; charset=utf-8, cookie cleared, "signed out here only · Postern", session 200',
      'backup, full: 1 postern: DISK/backups/.unfinished/postern.db cannot be written, the disk is full (database or disk is full): make room; left: backups ballast config',
      'half files: none',
      'readiness, room again: 200 ready',
      'role change, room again: 200',
      'backup, room again: 0',
      'restore, full: 1 postern: DISK/config/postern.lock cannot be locked: the disk is full, read-only or not yours; half files: none',
      'start without room for a certificate: started; postern.db is on a full disk: until a restart no command can use it beside Postern; activity.db is on a full disk: until a restart no command can use it beside Postern; DISK/config/tls/self-signed.pem cannot be written (ENOSPC: no space left on device, write): the next start makes another certificate; could not keep the applied text; the next start takes a config.yml that was cut off',
      'start without room for a secret: DISK/config/.jwt_secret cannot be written (ENOSPC: no space left on device, write): make room there, or give a secret in SERVICE_JWT_SECRET; half files: none',
      'start with room: started; .jwt_secret was gone, and Postern made another: everybody and every screen is signed out; put the previous file back from a backup, and they are signed in again',
      'start read-only: started; could not keep the applied text; the next start takes a config.yml that was cut off',
      'login, read-only: 200',
      'readiness, read-only: 200 degraded store',
      'start read-only with nothing there: DISK/config/postern.db cannot be used (it is not there, and cannot be made on a read-only disk); half files: none',
    ]);
  },
  90_000,
);
