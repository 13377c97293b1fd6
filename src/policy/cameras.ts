/** What is known of cameras, for names that occur in URIs. */
export interface KnownCameras {
  readonly names: ReadonlySet<string>;
  /** Whether `names` are all the cameras there are. */
  readonly complete: boolean;
  /** Cameras by the name of a live stream, where it is not a camera's own. */
  readonly streams: ReadonlyMap<string, readonly string[]>;
}

// `{camera}-{time}-{letters}` of an event, `{camera}-{time}` of a preview. A time has ten digits, so that no part
// of a camera's name is taken for one.
const eventFile = /^(.+)-\d{9,12}(?:\.\d+)?-[a-z0-9]+(?:-clean)?\.[a-z0-9]+$/i;
const previewFile = /^(preview_.+)-\d{9,12}(?:\.\d+)?\.[a-z0-9]+$/i;

/**
 * @param file such as `front_door-1793000276.376447-de8gxd.jpg`, with or without `thumb-` or `preview_` before it
 * @returns the camera that the form of the name says, hyphens and all. For a name of another form the longest
 * known camera that it begins with; undefined when there is none, or when there may be others
 */
export function cameraOfFile(file: string, { names, complete }: KnownCameras): string | undefined {
  // No file system has longer names, and to look at every hyphen of one would take its time.
  if (file.length > 255) return undefined;
  const named = (eventFile.exec(file) ?? previewFile.exec(file))?.[1];
  // Known or not: a camera that was taken out of the configuration may have left its files.
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

/** What a recorder calls the live picture that has all cameras in it: no custom role gets it, whatever lists it. */
export const streamOfAllCameras = 'birdseye';

/** @returns the cameras that a live stream shows: that of its name, and those whose streams it is one of */
export function camerasOfStream(stream: string, { names, streams }: KnownCameras): readonly string[] {
  const listed = streams.get(stream);
  if (listed === undefined) return [stream];
  return names.has(stream) && !listed.includes(stream) ? [stream, ...listed] : listed;
}
