import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { DerivationJob } from './key-derivation-thread.ts';

// The bundle has it beside this file too.
const thread = join(import.meta.dirname, `key-derivation-thread${extname(import.meta.filename)}`);

/** PBKDF2-HMAC-SHA256 (RFC 8018) in threads of its own. */
export interface KeyDerivation {
  /** The caller sees to it that no more run at once than there are threads. */
  derive(job: DerivationJob): Promise<Buffer>;
}

/**
 * Threads of low priority instead of libuv's pool: the operating system then lets a decision run first,
 * and the pool stays free for the signatures of session tokens. In runs side by
 * side on two cores, the p99 of a decision while 64 clients log in without pause was 4.4 ms, and 5.5 ms with
 * libuv's pool (`script/bench floods` measures it now).
 */
export function createKeyDerivation(): KeyDerivation {
  const idle: Worker[] = [];
  const start = (): Worker => {
    const worker = new Worker(thread);
    worker.unref();
    return worker;
  };
  return {
    derive: async (job) => {
      const worker = idle.pop() ?? start();
      // A thread that works keeps the process alive, one that waits does not.
      worker.ref();
      try {
        const answered = once(worker, 'message') as Promise<[Uint8Array]>;
        worker.postMessage(job);
        const [key] = await answered;
        idle.push(worker);
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
