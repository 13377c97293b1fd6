import type { Share } from './shares-api.ts';
import { cameraText } from '../cameras/camera-names.ts';
import { fill, text } from '../../text.ts';

/** The name of a share in lists. */
export function shareName({ label, kind, cameras }: Share): string {
  if (label !== null && label !== '') return label;
  return [text.shares.kinds[kind], ...cameras.map(cameraText)].join(' ');
}

// Seconds.
const day = 86_400;

/** Seconds that a share lasts by default. */
export const usualLife = day;

/** @param longest seconds, at least one @returns the usual choices up to it, and the longest itself */
export function livesUpTo(longest: number): ReadonlyArray<readonly [seconds: number, name: string]> {
  const { lives, longest: ofDays, longestHours } = text.shares;
  const offered = Object.entries(lives)
    .map(([seconds, name]) => [Number(seconds), name] as const)
    .filter(([seconds]) => seconds <= longest);
  if (offered.some(([seconds]) => seconds === longest)) return offered;
  const name =
    longest % day === 0
      ? fill(ofDays, { days: longest / day })
      : fill(longestHours, { hours: Math.round(longest / 360) / 10 });
  return [...offered, [longest, name]];
}
