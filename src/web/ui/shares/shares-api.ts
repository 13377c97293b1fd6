import type { InferRequestType, InferResponseType } from 'hono/client';
import { bodyOf, fetchThroughGate, ended } from '../../api-client.ts';
import { callsBelow } from '../../calls.ts';
import { pathTo } from '../../path-prefix.ts';
import { cameraText } from '../cameras/camera-names.ts';
import { fill, text } from '../../text.ts';

const api = callsBelow('/postern/api/shares', fetchThroughGate);

/** A share, as returned by the API. Times are seconds since the epoch. */
export type Share = InferResponseType<typeof api.index.$get, 200>[number];
export type WantedShare = InferRequestType<typeof api.index.$post>['json'];

/** @param own reads only the user's shares; else all, as an admin. @throws ApiFailure */
export function readShares(own: boolean): Promise<readonly Share[]> {
  return bodyOf(api.index.$get({ query: own ? { own: '' } : {} }));
}

/** @returns the id and the link, which is returned only once. @throws ApiFailure */
export function makeShare(json: WantedShare) {
  return bodyOf(api.index.$post({ json }));
}

/** @throws ApiFailure */
export async function endShare(id: string): Promise<void> {
  await ended(api[':id'].$delete({ param: { id } }));
}

/** An export in the recorder's list. */
interface RecorderExport {
  readonly id: string;
  readonly name: string;
  readonly camera: string;
  /** Seconds since the epoch. */
  readonly date: number;
}

/** @returns the finished exports, newest first. @throws ApiFailure */
export async function readExports(): Promise<readonly RecorderExport[]> {
  const found = await bodyOf(fetchThroughGate(pathTo('/api/exports')));
  return (Array.isArray(found) ? (found as ReadonlyArray<RecorderExport & { in_progress?: boolean }>) : [])
    .filter((known) => known.in_progress !== true)
    .toSorted((a, b) => b.date - a.date);
}

/** The name of a share in lists. */
export function shareName({ label, kind, cameras }: Share): string {
  if (label !== null && label !== '') return label;
  return [text.shares.kinds[kind], ...cameras.map(cameraText)].join(' ');
}

// Seconds.
const day = 86_400;

/** Seconds that a share lasts by default. */
export const usualLife = day;

/** @param longest life in seconds, at least one. @returns the usual choices up to it, and the longest itself */
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
