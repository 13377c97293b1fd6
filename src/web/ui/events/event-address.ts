import { gatePath } from '../../path-prefix.ts';

/** @returns the address of an event's page, with the id in the query if it cannot be in a path */
export function eventAddress(id: string): string {
  if (!fitsInPath(id)) return gatePath(`/events?id=${encodeURIComponent(id)}`);
  return gatePath(`/events/${encodeURIComponent(id)}`);
}

/** Whether an id can be a path segment: the gate rejects what servers parse differently (`policy/canonical-uri.ts`). */
export function fitsInPath(id: string): boolean {
  const isPlain = id.isWellFormed() && !/[\u0000-\u001f\u007f/\\;]|%[0-9a-f]{2}/i.test(id);
  return isPlain && id !== '' && id !== '.' && id !== '..';
}
