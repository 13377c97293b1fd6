import type { Capability } from './role-access.ts';
import { fill, text } from '../../text.ts';
import { listText } from '../words.ts';

/** @returns `watch Driveway live, see recordings and export`. @param cameras as text */
export function canText(may: readonly Capability[], cameras: string): string {
  const [first, ...others] = may;
  if (first === undefined) return '';
  return listText([
    fill(text.why.can[first], { camera: cameras }),
    ...others.map((other) => text.why.verbs[other]),
  ]);
}
