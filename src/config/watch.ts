import { stat } from 'node:fs/promises';

export interface WatchOptions {
  /** Called before each look. */
  readonly files: () => readonly string[];
  readonly onChange: () => Promise<void>;
  /**
   * Called once for each open file without a name. That is a bind mount of a single file whose source was replaced: this
   * program would read the previous file for ever.
   */
  readonly onLeftBehind?: (file: string) => void;
  /** Milliseconds. */
  readonly interval?: number;
}

/**
 * Calls `onChange` when one of the files has changed, appeared or disappeared, and then stayed the same for one interval. It
 * polls, because notifications do not pass bind mounts and replaced directories.
 * @returns a function that stops it
 */
export function watchFiles({ files, onChange, onLeftBehind, interval = 1_000 }: WatchOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let known: string | undefined;
  let last: string | undefined;
  let lastUnnamed: readonly string[] = [];
  const told = new Set<string>();
  const look = async () => {
    const looks = await Promise.all(files().map(lookAt));
    const unnamed = looks
      .filter(({ links }) => links === 0n)
      .map(({ file, signature }) => `${file} ${signature}`);
    for (const { file, signature } of looks) {
      // A file that is being replaced has no name for a moment either, but not in two looks.
      if (!lastUnnamed.includes(`${file} ${signature}`) || told.has(file)) continue;
      told.add(file);
      onLeftBehind?.(file);
    }
    lastUnnamed = unnamed;
    const seen = looks.map(({ signature }) => signature).join(' ');
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

interface Look {
  readonly file: string;
  readonly signature: string;
  /** Number of names (hard links) of the file. Absent when there is no file. */
  readonly links?: bigint;
}

async function lookAt(file: string): Promise<Look> {
  try {
    const { mtimeNs, size, ino, nlink } = await stat(file, { bigint: true });
    return { file, signature: `${mtimeNs}:${size}:${ino}`, links: nlink };
  } catch (error) {
    return { file, signature: (error as NodeJS.ErrnoException).code ?? 'unreadable' };
  }
}
