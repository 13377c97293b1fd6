import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AuditRecords } from '../../audit/audit-query.ts';
import { AppError } from '../../errors.ts';
import { isPersonalRoleName, isRoleName } from '../../policy/names.ts';
import { onlyIf, unconditional, type Permission, type Permit, type Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

/*
 * A personal role was made for one person, by an invitation: lists of roles leave it out. The store has which roles are personal, because an
 * operator may give a role any name.
 */

/** @param taken names of all roles. @returns a name that Frigate takes too */
export function newPersonalRole(taken: ReadonlySet<string>): string {
  const role = `guest_${randomBytes(6).toString('hex')}`;
  return taken.has(role) ? newPersonalRole(taken) : role;
}

export async function readPersonalRoles(on: Reading): Promise<ReadonlySet<string>> {
  const rows = await on
    .selectFrom('personal_roles')
    .select('role')
    .where('role', '!=', notLookedUp)
    .execute();
  return new Set(rows.map(({ role }) => role));
}

export async function addPersonalRole(on: Transaction<Tables>, role: string): Promise<void> {
  await on.insertInto('personal_roles').values({ role }).execute();
}

/** For a role that is removed, or was given a name. */
export async function forgetPersonalRole(on: Transaction<Tables>, role: string): Promise<void> {
  await on.deleteFrom('personal_roles').where('role', '=', role).execute();
}

/** A personal role belongs to one person. @throws AppError `role_unknown` when someone has it, or is invited to it */
export async function requireNotOfOther(on: Reading, role: string): Promise<void> {
  if ((await isPersonal(on, role)) && (await isGiven(on, role))) throw new AppError('role_unknown');
}

export async function isPersonal(on: Reading, role: string): Promise<boolean> {
  return (await readPersonalRoles(on)).has(role);
}

/** A user, or an open invitation by its id. */
export type RoleHolder = { readonly user: string } | { readonly invitation: string };

/** Whether a user has the role, or an invitation gives it. @param besides someone who does not count */
export async function isGiven(on: Reading, role: string, besides?: RoleHolder): Promise<boolean> {
  const user = besides !== undefined && 'user' in besides ? besides.user : '';
  const otherUser = await on
    .selectFrom('users')
    .select('username')
    .where('role', '=', role)
    .where('username', '!=', user)
    .executeTakeFirst();
  if (otherUser !== undefined) return true;
  const invitation = besides !== undefined && 'invitation' in besides ? besides.invitation : '';
  const otherInvitation = await on
    .selectFrom('invitations')
    .select('invitation_id')
    .where('role', '=', role)
    .where('invitation_id', '!=', invitation)
    .executeTakeFirst();
  return otherInvitation !== undefined;
}

/** A user has the role, or an invitation gives it. */
export class StillGiven extends Error {}

/** For the end of a role that no one has. @throws StillGiven */
export function unlessGiven(role: string): Permit {
  return onlyIf(async (on) => {
    if (await isGiven(on, role)) throw new StillGiven();
  });
}

/** Whether the role was made for one person and only this one has it: earlier versions let admins give it to others. */
export async function isOwnRole(on: Reading, role: string, holder: RoleHolder): Promise<boolean> {
  return (await isPersonal(on, role)) && !(await isGiven(on, role, holder));
}

/**
 * Gives an open invitation a role that was just made for its person, in the transaction that makes it.
 * @throws AppError `invitation_unknown` when it was accepted, revoked or has expired
 */
export async function giveToInvitation(
  on: Transaction<Tables>,
  id: string,
  role: string,
  { grant }: Permission,
): Promise<void> {
  await addPersonalRole(on, role);
  const { numUpdatedRows } = await on
    .updateTable('invitations')
    .set({ role: grant(role), makes_role: 1 })
    .where('invitation_id', '=', id)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new AppError('invitation_unknown');
}

/** @returns personal roles that no one has and no invitation gives: their person was removed */
export async function orphanedPersonalRoles(on: Reading): Promise<readonly string[]> {
  const orphaned: string[] = [];
  // Earlier roles such as `guest.nell` stay.
  for (const role of await readPersonalRoles(on))
    if (isPersonalRoleName(role) && !(await isGiven(on, role))) orphaned.push(role);
  return orphaned;
}

/** In `personal_roles`, until the roles of earlier invitations have been looked up. Not the name of a role. */
const notLookedUp = '';

/**
 * Programs before 2.0 made roles such as `guest.nell` and kept no list of them: the audit has which. Runs once after the upgrade.
 */
export async function adoptEarlierRoles(
  store: Store,
  auditRecords: Pick<AuditRecords, 'find'>,
): Promise<void> {
  const marker = store.selectFrom('personal_roles').select('role').where('role', '=', notLookedUp);
  if ((await marker.executeTakeFirst()) === undefined) return;
  const records = await auditRecords.find({ events: ['invitation_made'], limit: 10_000 });
  const found = records.flatMap(({ detail: { role, cameras } }) =>
    typeof role === 'string' && role.startsWith('guest.') && isRoleName(role) && cameras !== undefined
      ? [role]
      : [],
  );
  await store.change(unconditional, async (on) => {
    for (const role of new Set(found))
      await on
        .insertInto('personal_roles')
        .values({ role })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await on.deleteFrom('personal_roles').where('role', '=', notLookedUp).execute();
  });
}
