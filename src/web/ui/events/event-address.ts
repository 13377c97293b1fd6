import { gatePath } from '../../path-prefix.ts';

/** @returns the path of an event's own page, where one can lead to it, and else that of the list of it alone */
export function eventAddress(id: string): string {
  if (!fitsInPath(id)) return gatePath(`/explore?ids=${encodeURIComponent(id)}`);
  return gatePath(`/events/${encodeURIComponent(id)}`);
}

/** Whether an id can be a segment of a path: what servers read differently, the gate refuses (`policy/canonical-uri.ts`). */
export function fitsInPath(id: string): boolean {
  const isPlain = id.isWellFormed() && !/[\u0000-\u001f\u007f/\\;]|%[0-9a-f]{2}/i.test(id);
  return isPlain && id !== '' && id !== '.' && id !== '..';
}
