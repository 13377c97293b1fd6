/** Directives of `http` that keep nginx's temporary files in a directory of the test. */
export function temporaryPaths(directory: string): string {
  return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${directory}/${kind};`)
    .join('\n  ');
}
