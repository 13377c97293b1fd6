/**
 * Where to go after a login: the value of `next`, which is the last parameter and may stand there as it is
 * (nginx cannot encode it).
 * @returns a path of this origin, and nothing that a browser would read as another one
 */
export function nextPath(search: string): string {
  const value = /[?&]next=(.*)$/.exec(search)?.[1] ?? '';
  const path = value.startsWith('/') ? value : decoded(value);
  return isOwn(path) ? path : '/';
}

/** One slash at the beginning, no backslash, no control character, nothing that changes the origin. */
function isOwn(path: string): boolean {
  return (
    /^\/(?!\/)[^\\\u0000-\u0020\u007f]*$/.test(path) && new URL(path, 'http://own.test').host === 'own.test'
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
