import type { SqliteFile } from '../store/sqlite/sqlite-file.ts';

/** @returns the cameras of an export: by its id, or by the file name of its video or thumbnail */
export type ExportCameras = (name: string) => readonly string[];

/**
 * No index of the recorder's has the file names. So they are read once and remembered until anybody has written to the
 * file: whoever asks for exports without pause makes nobody wait.
 * @throws when the file has no exports, as that of an earlier release of the recorder
 */
export function exportCameras(file: Pick<SqliteFile, 'prepare'>): ExportCameras {
  const all = file.prepare('SELECT id, camera, video_path, thumb_path FROM export');
  // https://sqlite.org/pragma.html#pragma_data_version
  const version = file.prepare('PRAGMA data_version');
  let remembered = new Map<string, Set<string>>();
  let readAt: unknown;

  return (name) => {
    const now = version.get()?.['data_version'];
    if (now !== readAt) {
      remembered = camerasByName(all.all());
      readAt = now;
    }
    return [...(remembered.get(name) ?? [])];
  };
}

function camerasByName(rows: ReadonlyArray<Readonly<Record<string, unknown>>>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, camera, video_path: video, thumb_path: thumbnail } of rows) {
    for (const name of [String(id), fileName(video), fileName(thumbnail)]) {
      const cameras = found.get(name);
      if (cameras === undefined) found.set(name, new Set([String(camera)]));
      else cameras.add(String(camera));
    }
  }
  return found;
}

/** @returns the name of a file as the recorder wrote its path */
export function fileName(path: unknown): string {
  const text = String(path);
  return text.slice(text.lastIndexOf('/') + 1);
}
