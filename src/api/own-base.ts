/** Below it everything is the gate's. */
export const ownBase = '/postern';

/** Whether a path is one of the gate's alone. @param path canonical */
export function isBelowOwnBase(path: string): boolean {
  return path === ownBase || path.startsWith(`${ownBase}/`);
}
