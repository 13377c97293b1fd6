/** ISO 8601 in local time. @param time milliseconds since the epoch */
export function localTime(time: number): string {
  const date = new Date(time);
  const offset = -date.getTimezoneOffset();
  const two = (number: number) => String(number).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  const shifted = new Date(time + offset * 60_000);
  return `${shifted.toISOString().slice(0, 19)}${zone}`;
}
