import type { InferResponseType } from 'hono/client';
import { fetchThroughGate } from '../../api-client.ts';
import { callsBelow } from '../../calls.ts';

export const invitationsApi = callsBelow('/postern/api/invitations', fetchThroughGate);

/** A link that gives an account, once. Times are seconds since the epoch. */
export type Invitation = InferResponseType<typeof invitationsApi.index.$get, 200>[number];

/** The same with its link, which is shown once. */
export type MadeInvitation = InferResponseType<typeof invitationsApi.index.$post, 201>;
