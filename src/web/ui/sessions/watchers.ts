import type { OpenStream } from './streams-api.ts';

/** Someone who watches, with everything that is open in the same session, by the same API token or the same share. */
export interface Watcher {
  readonly key: string;
  /** What they have open; the first one is the oldest. */
  readonly streams: readonly [OpenStream, ...OpenStream[]];
  /** Without those that the gate did not determine. */
  readonly cameras: readonly string[];
  /** Seconds since the epoch. */
  readonly since: number;
}

/**
 * @returns who else watches cameras or recordings, the newest last, without the own devices. Updates of the recorder's pages
 *   show no picture
 */
export function watchersOf(streams: readonly OpenStream[]): Watcher[] {
  const groups = new Map<string, [OpenStream, ...OpenStream[]]>();
  for (const stream of streams.toSorted((one, other) => one.since - other.since)) {
    if (stream.own) continue;
    if (stream.page === 'updates' || (stream.page === 'other' && stream.kind !== 'pictures')) continue;
    const { source, user, session, address } = stream;
    const key = JSON.stringify([source, user, session ?? address]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [stream]);
    else group.push(stream);
  }
  return [...groups].map(([key, group]) => ({
    key,
    streams: group,
    cameras: [...new Set(group.flatMap(({ resource }) => resource.cameras))],
    since: group[0].since,
  }));
}

const phones = /iPhone|Android.*Mobile/;
const tablets = /iPad|Android/;

/** @param agent `User-Agent`, which a client can forge */
export function deviceOf(agent: string | null): 'phone' | 'tablet' | 'computer' | 'program' {
  if (agent === null || !agent.startsWith('Mozilla/')) return 'program';
  if (phones.test(agent)) return 'phone';
  return tablets.test(agent) ? 'tablet' : 'computer';
}
