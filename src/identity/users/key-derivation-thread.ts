import { pbkdf2Sync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

export interface DerivationJob {
  readonly password: string;
  readonly salt: string;
  readonly iterations: number;
  /** Bytes. */
  readonly keyLength: number;
}

// On Linux alone, 0 means the calling thread: decisions run first whenever both could run.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);

parentPort?.on('message', ({ password, salt, iterations, keyLength }: DerivationJob) => {
  parentPort?.postMessage(pbkdf2Sync(password, salt, iterations, keyLength, 'sha256'));
});
