/**
 * The path of the site that a request names, when a front serves the site below a prefix and leaves the prefix
 * in the URI. One that does not begin with the prefix is returned as it is: the front has taken it away.
 * @param basePath begins with a slash and ends without one; empty when there is no prefix
 */
export function belowBasePath(path: string, basePath: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : path;
}
