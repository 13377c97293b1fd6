import { stat } from 'node:fs/promises';

/**
 * Calls when one of the files changes, appears or goes, once it has stayed the same for one interval. The files are looked
 * at, since notifications do not come through bind mounts and replaced directories.
 * @param files asked each time
 * @param interval in milliseconds
 * @returns what ends it
 */
export function watchFiles(
  files: () => readonly string[],
  onChange: () => Promise<void>,
  interval = 1_000,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let known: string | undefined;
  let last: string | undefined;
  const look = async () => {
    const seen = await signatureOf(files());
    const isNew = known !== undefined && seen !== known && seen === last;
    if (known === undefined || isNew) known = seen;
    last = seen;
    if (isNew) await onChange();
  };
  const next = () => {
    if (isOver) return;
    timer = setTimeout(() => void look().finally(next), interval).unref();
  };
  void look().finally(next);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function signatureOf(files: readonly string[]): Promise<string> {
  const signatures = await Promise.all(
    files.map(async (file) => {
      try {
        const { mtimeNs, size, ino } = await stat(file, { bigint: true });
        return `${mtimeNs}:${size}:${ino}`;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'unreadable';
      }
    }),
  );
  return signatures.join(' ');
}
