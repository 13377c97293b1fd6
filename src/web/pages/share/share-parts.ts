/** A part of a period, in whole seconds since the epoch. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

// Seconds: a recorder assembles a part while it is played.
const longest = 3_600;

/** @returns a period split into parts that a browser can play, in order */
export function partsOf(from: number, until: number): readonly Part[] {
  const [start, end] = [Math.ceil(from), Math.floor(until)];
  const count = Math.max(0, Math.ceil((end - start) / longest));
  return Array.from({ length: count }, (_, place) => ({
    start: start + place * longest,
    end: Math.min(end, start + (place + 1) * longest),
  }));
}

/** @returns the path of a part, given the path of another period or moment */
export function pathOfPart(path: string, { start, end }: Part): string {
  return path
    .replace(/\/start\/[\d.]+\/end\/[\d.]+\//, `/start/${start}/end/${end}/`)
    .replace(/\/recordings\/[\d.]+\//, `/recordings/${start}/`);
}
