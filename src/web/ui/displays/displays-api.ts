import type { InferResponseType } from 'hono/client';
import { callsBelow } from '../../calls.ts';
import { bodyOf, fetchThroughGate } from '../../api-client.ts';

export const displaysApi = callsBelow('/postern/api/displays', fetchThroughGate);

/** A screen that stays signed in. Times are seconds since the epoch. */
export type Display = InferResponseType<typeof displaysApi.index.$get, 200>[number];

/** What a display may do, in the order of the API. */
export const displayMay = ['live', 'history', 'export'] as const;

/** @throws ApiFailure */
export async function endDisplay({ id }: Display): Promise<void> {
  await bodyOf(displaysApi[':id'].$delete({ param: { id } }));
}
