import type { Codes } from './pairing.ts';

const key = 'postern-pairing';

/** So that a page that is loaded again shows the same code. */
export function keepCodes(codes: Codes): void {
  try {
    localStorage.setItem(key, JSON.stringify(codes));
  } catch {
    // Without storage, the next page asks for another one.
  }
}

export function forgetCodes(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/** @returns codes that are still valid; undefined: none are kept */
export function keptCodes(now: number): Codes | undefined {
  try {
    return readCodes(JSON.parse(localStorage.getItem(key) ?? 'null'), now);
  } catch {
    return undefined;
  }
}

/** Milliseconds for which codes are valid at most: a clock that was set back makes none last longer. */
const longest = 600_000;

/** @returns undefined unless the value is what was kept, and still valid */
export function readCodes(value: unknown, now: number): Codes | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { deviceCode, userCode, link, place, expiresAt, interval } = value as Readonly<
    Record<string, unknown>
  >;
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string') return undefined;
  if (typeof link !== 'string' || typeof place !== 'string') return undefined;
  if (typeof expiresAt !== 'number' || typeof interval !== 'number') return undefined;
  if (expiresAt <= now || expiresAt > now + longest) return undefined;
  return { deviceCode, userCode, link, place, expiresAt, interval };
}
