import type { Density } from './arrange.ts';

const key = 'postern.density';

/** @returns what was chosen on this device; undefined: nothing, or the browser keeps nothing */
export function keptDensity(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepDensity(density: Density): void {
  try {
    localStorage.setItem(key, density);
  } catch {
    // It holds until the page is left.
  }
}
