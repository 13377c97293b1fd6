/**
 * The request target below the prefix under which a front serves the site. A target that does not begin with the prefix,
 * byte for byte, is returned as it is: the front has already removed the prefix.
 * @param basePath begins with a slash and ends without one; empty when there is no prefix
 */
export function belowBasePath(target: string, basePath: string): string {
  return basePath !== '' && target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
}

/** Adds the slash that relative links need: `/cameras` becomes `/cameras/`. @returns undefined for any other target */
export function withSlash(target: string, basePath: string): string | undefined {
  const rest = basePath !== '' && target.startsWith(basePath) ? target.slice(basePath.length) : undefined;
  return rest === '' || rest?.startsWith('?') ? `${basePath}/${rest}` : undefined;
}
