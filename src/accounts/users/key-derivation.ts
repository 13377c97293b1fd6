import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { DerivationJob } from './key-derivation-thread.ts';

// Milliseconds until an idle thread ends: people who mistyped try again within them, and an idle thread takes 13 MiB.
const timeoutMs = 30_000;

// The bundle has the file beside this one too.
const thread = join(import.meta.dirname, `key-derivation-thread${extname(import.meta.filename)}`);

/** PBKDF2-HMAC-SHA256 (RFC 8018) in threads of its own. */
export interface KeyDerivation {
  /** The caller limits how many run at once. */
  derive(job: DerivationJob): Promise<Buffer>;
}

/**
 * Threads of low priority instead of libuv's pool: the operating system runs decisions first, and the pool stays free for the
 * signatures of session tokens. Side by side on two cores, with 64 clients that sign in without pause, the p99 of a decision was
 * 4.4 ms, and 5.5 ms with libuv's pool (`script/bench floods` measures it). Threads start when they are needed.
 */
export function createKeyDerivation(): KeyDerivation {
  const idle: Array<{ readonly worker: Worker; readonly end: NodeJS.Timeout }> = [];
  const start = (): Worker => {
    const worker = new Worker(thread);
    worker.unref();
    return worker;
  };
  const takeIdle = (): Worker | undefined => {
    const last = idle.pop();
    clearTimeout(last?.end);
    return last?.worker;
  };
  const putIdle = (worker: Worker) => {
    const end = setTimeout(() => {
      idle.splice(
        idle.findIndex((waiting) => waiting.worker === worker),
        1,
      );
      void worker.terminate();
    }, timeoutMs);
    idle.push({ worker, end: end.unref() });
  };
  return {
    derive: async (job) => {
      const worker = takeIdle() ?? start();
      // A working thread keeps the process alive, an idle one does not.
      worker.ref();
      try {
        const answered = once(worker, 'message') as Promise<[Uint8Array]>;
        worker.postMessage(job);
        const [key] = await answered;
        putIdle(worker);
        return Buffer.from(key);
      } catch (error) {
        void worker.terminate();
        throw error;
      } finally {
        worker.unref();
      }
    },
  };
}

/** In libuv's pool, at a start, when no decision waits: a thread would keep 13 MiB. */
export const deriveInPool: KeyDerivation['derive'] = ({ password, salt, iterations, keyLength }) =>
  promisify(pbkdf2)(password, salt, iterations, keyLength, 'sha256');
