const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** @param seconds that have passed; the clocks of two machines may differ by some */
export function agoText(seconds: number): string {
  const unit = units.find(([, length]) => seconds >= length);
  return unit === undefined ? 'just now' : words.format(-Math.floor(seconds / unit[1]), unit[0]);
}
