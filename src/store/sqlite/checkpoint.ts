import { statSync } from 'node:fs';
import type { SqliteFile } from './sqlite-file.ts';

/** Milliseconds between two looks: a log that stayed the same in between is idle. */
const lookEvery = 10_000;

/** Milliseconds after which a log that is never idle is copied all the same. */
const atLeastEvery = 3_600_000;

/**
 * Copies the log of a database (`-wal`) into the file, which otherwise has to wait for 4 MiB of it: until then, the file alone lacks
 * everything. It waits for no one: what a reader or writer still needs is copied later.
 * @param elapsed milliseconds, monotonic
 * @returns looks at the log once
 */
export function createCheckpoints(file: SqliteFile, path: string, elapsed: () => number): () => void {
  let seen = signatureOf(path);
  let copied = '';
  let copiedAt = elapsed();
  return () => {
    const now = signatureOf(path);
    const isIdle = now === seen;
    seen = now;
    if (now === '' || now === copied || file.isTransaction) return;
    if (!isIdle && elapsed() - copiedAt < atLeastEvery) return;
    try {
      const { busy, log, checkpointed } = file.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() ?? {};
      if (busy !== 0 || log !== checkpointed) return;
    } catch {
      // A full or failing disk is reported where something is written.
      return;
    }
    copied = now;
    copiedAt = elapsed();
  };
}

/** Looks at the log from now on. @returns a function that stops it */
export function keepCheckpoints(file: SqliteFile, path: string): () => void {
  const look = createCheckpoints(file, path, () => performance.now());
  const timer = setInterval(look, lookEvery).unref();
  return () => clearInterval(timer);
}

/** Every process that writes changes it. */
function signatureOf(path: string): string {
  const found = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  return found === undefined || found.size === 0n ? '' : `${found.ino}:${found.size}:${found.mtimeNs}`;
}
