/** A moment in ISO 8601, by the clock on the wall. */
export function localTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const two = (number: number) => String(number).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  const shifted = new Date(date.getTime() + offset * 60_000);
  return `${shifted.toISOString().slice(0, 19)}${zone}`;
}

/** @param seconds since the epoch */
export const localTimeOf = (seconds: number): string => localTime(new Date(seconds * 1000));
