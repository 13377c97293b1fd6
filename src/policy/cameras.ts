/** Cameras that the gate knows, for names that occur in URIs. */
export interface KnownCameras {
  readonly names: ReadonlySet<string>;
  /** Whether `names` are all the cameras there are. */
  readonly complete: boolean;
  /** Cameras by the name of a live stream, where that is not the camera's own name. */
  readonly streams: ReadonlyMap<string, readonly string[]>;
}

// `{camera}-{time}-{letters}` for an event, `{camera}-{time}` for a preview. A time has ten digits, so that no part
// of a camera's name is mistaken for one.
const eventFile = /^(.+)-\d{9,12}(?:\.\d+)?-[a-z0-9]+(?:-clean)?\.[a-z0-9]+$/i;
const previewFile = /^(preview_.+)-\d{9,12}(?:\.\d+)?\.[a-z0-9]+$/i;

/**
 * @param file such as `front_door-1793000276.376447-de8gxd.jpg`, with or without `thumb-` or `preview_` before it
 * @returns the camera in the name, including hyphens. For a name of another form, the longest known camera that it
 * begins with; undefined if none fits, or if not all cameras are known
 */
export function cameraOfFile(file: string, { names, complete }: KnownCameras): string | undefined {
  // File systems allow no longer names, and checking every hyphen of one would take time.
  if (file.length > 255) return undefined;
  const named = (eventFile.exec(file) ?? previewFile.exec(file))?.[1];
  // Even if unknown: a camera that was removed from the configuration may have left files.
  if (named !== undefined) return names.has(named) ? named : withoutKind(named);
  return complete ? (longestKnown(file, names) ?? longestKnown(withoutKind(file), names)) : undefined;
}

function withoutKind(name: string): string {
  return name.replace(/^(?:thumb-|preview_)/, '');
}

function longestKnown(name: string, names: ReadonlySet<string>): string | undefined {
  for (let end = name.lastIndexOf('-'); end > 0; end = name.lastIndexOf('-', end - 1)) {
    if (names.has(name.slice(0, end))) return name.slice(0, end);
  }
  return undefined;
}

/** The recorder's name for the live picture of all cameras: no custom role gets it, even where a camera lists it. */
export const streamOfAllCameras = 'birdseye';

/** @returns the cameras that a live stream shows: the one it is named after, and those that list it */
export function camerasOfStream(stream: string, { names, streams }: KnownCameras): readonly string[] {
  const listed = streams.get(stream);
  if (listed === undefined) return [stream];
  return names.has(stream) && !listed.includes(stream) ? [stream, ...listed] : listed;
}
