import { bodyOf, fetchThroughGate } from './api-client.ts';
import { gatePath, pathTo } from './path-prefix.ts';

/** A share, as the API says. Times are seconds since the epoch. */
export interface Share {
  readonly id: string;
  readonly kind: 'event' | 'export' | 'camera';
  readonly cameras: readonly string[];
  readonly label: string | null;
  readonly has_password: boolean;
  readonly from: number;
  readonly until: number;
  readonly made_by: string;
  readonly made_at: number;
  readonly expires_at: number;
  readonly openings: number;
  readonly last_opened_at: number | null;
}

export interface WantedShare {
  readonly kind: 'event' | 'export' | 'camera';
  readonly id?: string;
  readonly camera?: string;
  readonly from?: number;
  readonly until?: number;
  readonly expires_in: number;
  readonly password?: string;
  readonly label?: string;
}

/** What is known of a new share, this once. */
export interface MadeShare {
  readonly id: string;
  readonly url: string;
}

const root = gatePath('/api/shares');

export async function readShares(own: boolean): Promise<readonly Share[]> {
  return (await bodyOf(fetchThroughGate(own ? `${root}?own` : root))) as readonly Share[];
}

export async function makeShare(wanted: WantedShare): Promise<MadeShare> {
  const call = fetchThroughGate(root, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  return (await bodyOf(call)) as MadeShare;
}

export async function endShare(id: string): Promise<void> {
  await bodyOf(fetchThroughGate(`${root}/${encodeURIComponent(id)}`, { method: 'DELETE' }));
}

/** An export of the recorder's, as it lists them. */
export interface RecorderExport {
  readonly id: string;
  readonly name: string;
  readonly camera: string;
  /** Seconds since the epoch. */
  readonly date: number;
}

/** @returns the exports that are finished, newest first. @throws ApiFailure */
export async function readExports(): Promise<readonly RecorderExport[]> {
  const found = await bodyOf(fetchThroughGate(pathTo('/api/exports')));
  return (Array.isArray(found) ? (found as ReadonlyArray<RecorderExport & { in_progress?: boolean }>) : [])
    .filter((known) => known.in_progress !== true)
    .toSorted((a, b) => b.date - a.date);
}
