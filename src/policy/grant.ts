/** The cameras an identity may see: all of them, or a set of names. */
export type Grant = 'all' | ReadonlySet<string>;

/** Custom roles in the order of their precedence, each with its cameras. */
export type CamerasByRole = ReadonlyMap<string, ReadonlySet<string>>;

export const noCameras: ReadonlySet<string> = new Set();

/** @returns the cameras that are both in the grant and among these */
export function narrowGrant(grant: Grant, cameras: ReadonlySet<string>): Grant {
  return grant === 'all' ? cameras : grant.intersection(cameras);
}

export function isGranted(grant: Grant, camera: string): boolean {
  return grant === 'all' || grant.has(camera);
}
