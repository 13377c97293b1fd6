import type { InferResponseType } from 'hono/client';
import type { Calls } from '../../calls.ts';
import { bodyOf, ended, fetchThroughGate } from '../../api-client.ts';
import { gatePath } from '../../path-prefix.ts';

type StreamsApi = Calls<'/postern/api/streams'>;

/** A WebSocket, a response being sent, or pictures asked for again and again. Times are seconds since the epoch. */
export type OpenStream = InferResponseType<StreamsApi['index']['$get'], 200>[number];

/** The id of a stop, and when it ends. Null for a stop for good. */
export type Stopped = InferResponseType<StreamsApi[':id']['$delete'], 200>;

/** A stop that an admin made for a time. */
export type Stop = InferResponseType<Calls<'/postern/api/stops'>['index']['$get'], 200>[number];

export type HowLong = 'now' | 'hour' | 'good';

/** @param isOwn reads only the user's own streams; else all, as an admin. @throws ApiFailure */
export async function readStreams(isOwn: boolean): Promise<readonly OpenStream[]> {
  const query = isOwn ? '?own' : '';
  return (await bodyOf(fetchThroughGate(gatePath(`/api/streams${query}`)))) as OpenStream[];
}

/** @throws ApiFailure */
export async function stopStream(id: string, how: HowLong): Promise<Stopped> {
  const path = gatePath(`/api/streams/${encodeURIComponent(id)}?for=${how}`);
  return (await bodyOf(fetchThroughGate(path, { method: 'DELETE' }))) as Stopped;
}

/** @throws ApiFailure */
export async function readStops(): Promise<readonly Stop[]> {
  return (await bodyOf(fetchThroughGate(gatePath('/api/stops')))) as Stop[];
}

/** @throws ApiFailure */
export async function allowAgain(stop: string): Promise<void> {
  await ended(fetchThroughGate(gatePath(`/api/stops/${encodeURIComponent(stop)}`), { method: 'DELETE' }));
}

/** Whether a user can be stopped for a time: a client of the internal entry point has no name. */
export function mayPause({ source }: Pick<OpenStream, 'source'>): boolean {
  return source !== 'internal' && source !== null;
}

/** Whether access can be ended for good: a proxy's users sign in elsewhere. */
export function mayEnd({ source, session }: Pick<OpenStream, 'source' | 'session'>): boolean {
  return session !== null || source === 'api-token' || source === 'display' || source === 'share';
}
