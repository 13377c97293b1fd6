import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import { isPersonalRoleName } from '../../policy/names.ts';
import { isPersonalRole } from '../../policy/role-access.ts';
import type { Permission, Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';

/*
 * A personal role was made for one person, by an invitation: lists of roles leave it out. The store has which roles are personal, because an
 * operator may give a role any name.
 */

/** @param taken names of all roles. @returns a name that Frigate takes too */
export function newPersonalRole(taken: ReadonlySet<string>): string {
  const role = `guest_${randomBytes(6).toString('hex')}`;
  return taken.has(role) ? newPersonalRole(taken) : role;
}

/** In `personal_roles`, until the roles of earlier invitations have been looked up. Not the name of a role. */
export const notLookedUp = '';

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

/** For a role that is removed, or was given a name. While config.yml may have its lines, they stay those of a personal role. */
export async function forgetPersonalRole(on: Transaction<Tables>, role: string): Promise<void> {
  await on.deleteFrom('personal_roles').where('role', '=', role).where('copied_at', 'is', null).execute();
}

/** A personal role belongs to one person. @throws AppError `role_unknown` when someone has it, or is invited to it */
export async function requireNotOfOther(on: Reading, role: string): Promise<void> {
  if ((await isPersonal(on, role)) && (await isGiven(on, role))) throw new AppError('role_unknown');
}

export async function isPersonal(on: Reading, role: string): Promise<boolean> {
  return isPersonalRole(role, { personal: await readPersonalRoles(on) });
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
  const defined = await on.selectFrom('custom_roles').select('name').execute();
  // Those that were copied stay in the list without a definition, while config.yml may have their lines.
  const listed = await on
    .selectFrom('personal_roles')
    .select('role as name')
    .where('copied_at', 'is', null)
    .execute();
  const orphaned: string[] = [];
  for (const name of new Set([...defined, ...listed].map((row) => row.name)))
    // Earlier roles such as `guest.nell` stay.
    if (isPersonalRoleName(name) && !(await isGiven(on, name))) orphaned.push(name);
  return orphaned;
}
