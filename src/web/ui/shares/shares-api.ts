import type { InferRequestType, InferResponseType } from 'hono/client';
import { bodyOf, fetchThroughGate } from '../../api-client.ts';
import { callsBelow } from '../../calls.ts';
import { ended } from '../ended.ts';
import { pathTo } from '../../path-prefix.ts';

const api = callsBelow('/postern/api/shares', fetchThroughGate);

/** A share, as returned by the API. Times are seconds since the epoch. */
export type Share = InferResponseType<typeof api.index.$get, 200>[number];
export type WantedShare = InferRequestType<typeof api.index.$post>['json'];

/** @param own only the user's; else all, for an admin. @throws ApiFailure */
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
export interface RecorderExport {
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
