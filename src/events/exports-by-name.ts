import type { SqliteFile } from '../store/sqlite/sqlite-file.ts';

interface Export {
  readonly camera: string;
  /** When the exported recording begins. Seconds since the epoch; NaN: unknown. */
  readonly start: number;
}

/** @returns the exports with that id, or with that file name of video or thumbnail */
export type ExportsByName = (name: string) => readonly Export[];

/**
 * No index of the recorder has the file names. So they are read once and cached until the file changes: frequent requests for
 * exports delay no one.
 * @throws when the file has no exports, as with earlier releases of the recorder
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

/** Anything but a number counts as no time. */
export function secondsOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** @returns the file name in a path of the recorder */
export function fileName(path: unknown): string {
  const text = String(path);
  return text.slice(text.lastIndexOf('/') + 1);
}
