import { mount } from '../../api/endpoint.ts';
import type { Core, Feature } from '../feature.ts';
import { createAccessRequests } from './access-requests.ts';
import {
  answerAccessRequest,
  askForAccess,
  listAccessRequests,
  listOwnAccessRequests,
  openRequests,
} from './endpoints.ts';

export const open = [] as const;
export const guarded = [
  askForAccess,
  listAccessRequests,
  listOwnAccessRequests,
  answerAccessRequest,
] as const;

/** Users ask admins for a camera. */
export function create({ foundation, accounts }: Core): Feature {
  const { store, clock, audit } = foundation;
  const { changeLimit } = accounts;
  const accessRequests = createAccessRequests(store, clock);
  return {
    compose: ({ settings }) => ({
      open: [],
      guarded: mount(guarded, { accessRequests, changeLimit, audit, settings }),
      openRequests: () => openRequests(accessRequests, settings),
    }),
    prune: accessRequests.prune,
  };
}

export const prune = ({ foundation: { store, clock } }: Core): Promise<void> =>
  createAccessRequests(store, clock).prune();
