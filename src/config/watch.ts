import { stat } from 'node:fs/promises';

export interface WatchOptions {
  /** Asked each time. */
  readonly files: () => readonly string[];
  readonly onChange: () => Promise<void>;
  /**
   * Told once of each file that has no name any more. A program with such a file at a path sees a bind mount of the file
   * alone, whose source was replaced: it would go on with the former file for ever.
   */
  readonly onLeftBehind?: (file: string) => void;
  /** Milliseconds. */
  readonly interval?: number;
}

/**
 * Calls when one of the files changes, appears or goes, once it has stayed the same for one interval. The files are looked
 * at, since notifications do not come through bind mounts and replaced directories.
 * @returns what ends it
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
      // A file that is replaced in this moment has no name either, but not twice.
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
  /** How many names the file has. Undefined: there is none. */
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
