import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every file lies below this directory, and every program is in `stops`. */
const root = mkdtempSync(join(tmpdir(), 'postern-bench-'));
// PostgreSQL runs as another user, and its files lie below.
chmodSync(root, 0o711);
// Programs that are started make their temporary files there too.
process.env['TMPDIR'] = root;

const stops = new Set<() => Promise<void>>();

/** @returns `stop`, which then runs once: when it is called, at the end, or on Ctrl-C */
export function stoppedAtEnd(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  const once = () => (stopping ??= stop().finally(() => stops.delete(once)));
  stops.add(once);
  return once;
}

/** Stops what still runs and removes every temporary file. */
export async function stopAll(): Promise<void> {
  await Promise.allSettled([...stops].map((stop) => stop()));
  rmSync(root, { recursive: true, force: true });
}

/** A directory that is removed at the end. */
export function temporaryDirectory(name: string): string {
  return mkdtempSync(join(root, `${name}-`));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stopAll().then(() => process.exit(130)));
}
