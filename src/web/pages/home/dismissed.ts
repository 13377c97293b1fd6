const key = 'postern.dismissed';

/** @returns names of what was dismissed since the browser was opened */
export function dismissed(): ReadonlySet<string> {
  return new Set((sessionStorage.getItem(key) ?? '').split(' '));
}

/** Dismisses a hint. @returns all dismissed ones */
export function dismiss(name: string): ReadonlySet<string> {
  const names = new Set([...dismissed(), name]);
  sessionStorage.setItem(key, [...names].join(' '));
  return names;
}
