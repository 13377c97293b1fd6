/**
 * The request target below the prefix under which a front serves the site, when the front leaves the prefix in it. One
 * that does not begin with the prefix, byte for byte, is returned as it is: the front has taken it away.
 * @param basePath begins with a slash and ends without one; empty when there is no prefix
 */
export function belowBasePath(target: string, basePath: string): string {
  return basePath !== '' && target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
}

/** Where links resolve as they must: `/cameras` is taken for `/cameras/`. @returns undefined when that is not asked for */
export function withSlash(target: string, basePath: string): string | undefined {
  const rest = basePath !== '' && target.startsWith(basePath) ? target.slice(basePath.length) : undefined;
  return rest === '' || rest?.startsWith('?') ? `${basePath}/${rest}` : undefined;
}
