import type { SqliteFile } from '../store/sqlite/sqlite-file.ts';

interface Export {
  readonly camera: string;
  /** When what was exported begins. Seconds since the epoch; NaN: of no moment. */
  readonly start: number;
}

/** @returns the exports of a name: by id, or by the file name of video or thumbnail */
export type ExportsByName = (name: string) => readonly Export[];

/**
 * No index of the recorder's has the file names. So they are read once and remembered until anybody has written to the
 * file: whoever asks for exports without pause makes nobody wait.
 * @throws when the file has no exports, as that of an earlier release of the recorder
 */
export function exportsByName(file: Pick<SqliteFile, 'prepare'>): ExportsByName {
  const all = file.prepare('SELECT id, camera, date, video_path, thumb_path FROM export');
  // https://sqlite.org/pragma.html#pragma_data_version
  const version = file.prepare('PRAGMA data_version');
  let remembered = new Map<string, readonly Export[]>();
  let readAt: unknown;

  return (name) => {
    const now = version.get()?.['data_version'];
    if (now !== readAt) {
      remembered = named(all.all());
      readAt = now;
    }
    return remembered.get(name) ?? [];
  };
}

function named(rows: ReadonlyArray<Readonly<Record<string, unknown>>>): Map<string, readonly Export[]> {
  const found = new Map<string, Export[]>();
  for (const { id, camera, date, video_path: video, thumb_path: thumbnail } of rows) {
    const one = { camera: String(camera), start: secondsOf(date) };
    for (const name of new Set([String(id), fileName(video), fileName(thumbnail)])) {
      const exports = found.get(name);
      if (exports === undefined) found.set(name, [one]);
      else exports.push(one);
    }
  }
  return found;
}

/** Whatever a recorder has put there that is no number is no time. */
export function secondsOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** @returns the name of a file as the recorder wrote its path */
export function fileName(path: unknown): string {
  const text = String(path);
  return text.slice(text.lastIndexOf('/') + 1);
}
