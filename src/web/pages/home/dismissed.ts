const key = 'postern.dismissed';

/** @returns names of what was put away since the browser was opened */
export function dismissed(): ReadonlySet<string> {
  return new Set((sessionStorage.getItem(key) ?? '').split(' '));
}

/** Puts something away. @returns all that is */
export function dismiss(name: string): ReadonlySet<string> {
  const names = new Set([...dismissed(), name]);
  sessionStorage.setItem(key, [...names].join(' '));
  return names;
}
