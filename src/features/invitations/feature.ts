import type { InvitedPerson } from '../../api/people/parts.ts';
import { wholeSeconds } from '../../clock.ts';
import { mount } from '../../api/endpoint.ts';
import { showInvitePage } from '../../api/ui/ui-routes.ts';
import type { Core, Feature, Running } from '../feature.ts';
import { acceptInvitation, beginInvitedPasskey, openInvitation } from './accept.ts';
import { listInvitations, makeInvitation, revokeInvitation, showInvitation } from './endpoints.ts';
import { createInvitations, type Invitation } from './invitations.ts';

const accepting = [openInvitation, beginInvitedPasskey, acceptInvitation] as const;
export const open = [...accepting, showInvitePage] as const;
export const guarded = [listInvitations, makeInvitation, showInvitation, revokeInvitation] as const;

// Milliseconds.
const minute = 60_000;

/** Invitations: links by which people make their own accounts. */
export function create(core: Core): Feature {
  const { store, clock, audit } = core.foundation;
  const { users, hasher, failureLimitOf } = core.accounts;
  const invitations = createInvitations(store, clock);
  return {
    compose: ({ configuration, settings, pages, finishing, passkeys, personalRoles, removeMadeRole }) => {
      const { auth, publicUrl } = configuration;
      const invitationLimit = failureLimitOf(auth.failedLoginRateLimit, 'invitation');
      return {
        open: [
          ...mount(accepting, {
            settings,
            finishing,
            invitations,
            users,
            passkeys,
            hasher,
            invitationLimit,
            nameLimit: failureLimitOf(auth.failedLoginRateLimit, 'invited name'),
            clock,
          }),
          ...mount([showInvitePage], pages),
        ],
        guarded: mount(guarded, {
          settings,
          invitations,
          personalRoles,
          removeMadeRole,
          publicUrl,
          audit,
          clock,
        }),
        ofPeople: async () => ({ invited: (await invitations.list()).map(invitedPerson) }),
      };
    },
    prune: async () => undefined,
    start: (running) => endEveryMinute(core, running),
  };
}

function invitedPerson({ id, name, role, madeBy, createdAt, expiresAt }: Invitation): InvitedPerson {
  const [created_at, expires_at] = [wholeSeconds(createdAt), wholeSeconds(expiresAt)];
  return { name, role, invitation: { id, made_by: madeBy, created_at, expires_at } };
}

/** Ends invitations soon after their time: the roles that were made for them are removed with them. */
function endEveryMinute(core: Core, { runtime }: Running): void {
  let ending: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    ending = endOver(core, (role) => runtime().removeMadeRole(role)).catch((error: unknown) =>
      core.foundation.logger.warn({ err: error }, 'invitations were not pruned'),
    );
  }, minute).unref();
  core.foundation.closing.defer(async () => {
    clearInterval(timer);
    await ending;
  });
}

async function endOver(
  { foundation: { store, clock, clockTrust } }: Core,
  removeMadeRole: (role: string) => Promise<void>,
): Promise<void> {
  if (!clockTrust.isTrusted()) return;
  for (const { makesRole, role } of await createInvitations(store, clock).prune())
    if (makesRole) await removeMadeRole(role);
}

/** The gate removes the roles that were made for them, as roles that belong to no one. */
export async function prune({ foundation: { store, clock } }: Core): Promise<void> {
  await createInvitations(store, clock).prune();
}
