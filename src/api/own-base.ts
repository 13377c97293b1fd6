/** All paths below it belong to the gate. */
export const ownBase = '/postern';

/** @param path canonical */
export function isBelowOwnBase(path: string): boolean {
  return path === ownBase || path.startsWith(`${ownBase}/`);
}
