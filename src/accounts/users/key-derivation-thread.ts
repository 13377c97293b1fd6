import { pbkdf2Sync } from 'node:crypto';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

export interface DerivationJob {
  readonly password: string;
  readonly salt: string;
  readonly iterations: number;
  /** Bytes. */
  readonly keyLength: number;
}

// Only on Linux, 0 means the calling thread: decisions run first when both could run. At the lowest priority, a sign-in takes ten
// seconds and more beside a recorder that uses every core.
if (process.platform === 'linux')
  setPriority(0, Math.max(getPriority(0), constants.priority.PRIORITY_BELOW_NORMAL));

parentPort?.on('message', ({ password, salt, iterations, keyLength }: DerivationJob) => {
  parentPort?.postMessage(pbkdf2Sync(password, salt, iterations, keyLength, 'sha256'));
});
