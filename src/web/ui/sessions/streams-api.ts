import type { hc, InferResponseType } from 'hono/client';
import type { Client } from '../../../api/client.ts';
import { bodyOf, fetchThroughGate } from '../../api-client.ts';
import { ended } from '../ended.ts';
import { gatePath } from '../../path-prefix.ts';

/** A WebSocket, or a response being sent. Times are seconds since the epoch. */
export type OpenStream = InferResponseType<
  ReturnType<typeof hc<Client<'/postern/api/exchanges'>>>['index']['$get'],
  200
>[number];

/** @param isOwn only the user's own; else all, for an admin. @throws ApiFailure */
export async function readStreams(isOwn: boolean): Promise<readonly OpenStream[]> {
  const query = isOwn ? '?own' : '';
  return (await bodyOf(fetchThroughGate(gatePath(`/api/exchanges${query}`)))) as OpenStream[];
}

/** @throws ApiFailure */
export async function cutStream(id: string): Promise<void> {
  const path = gatePath(`/api/exchanges/${encodeURIComponent(id)}`);
  await ended(fetchThroughGate(path, { method: 'DELETE' }));
}
