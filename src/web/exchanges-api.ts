import type { hc, InferResponseType } from 'hono/client';
import { ApiFailure, bodyOf, fetchThroughGate } from './api-client.ts';
import type { ExchangesApi } from '../api/exchanges/exchanges.ts';
import { gatePath } from './path-prefix.ts';

/** A WebSocket, or an answer that is being sent. Times are seconds since the epoch. */
export type OpenExchange = InferResponseType<
  ReturnType<typeof hc<ExchangesApi>>['index']['$get'],
  200
>[number];

/** @param isOwn of whoever asks alone; else everybody's for an admin. @throws ApiFailure */
export async function readExchanges(isOwn: boolean): Promise<readonly OpenExchange[]> {
  const query = isOwn ? '?own' : '';
  return (await bodyOf(fetchThroughGate(gatePath(`/api/exchanges${query}`)))) as OpenExchange[];
}

/** @throws ApiFailure */
export async function cutExchange(id: string): Promise<void> {
  try {
    const path = gatePath(`/api/exchanges/${encodeURIComponent(id)}`);
    await bodyOf(fetchThroughGate(path, { method: 'DELETE' }));
  } catch (error) {
    // It has ended meanwhile, which is what was wanted.
    if (!(error instanceof ApiFailure && error.status === 404)) throw error;
  }
}
