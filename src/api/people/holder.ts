import type { Settings } from '../../access/settings/settings.ts';
import { isOwnRole, type RoleHolder } from '../../accounts/users/personal-roles.ts';
import type { Users } from '../../accounts/users/users.ts';
import { AppError } from '../../errors.ts';
import type { RoleDefinition } from '../../policy/role-access.ts';
import { isWider } from '../../policy/role-changes.ts';
import type { Permit, Reading } from '../../store/permit.ts';
import type { ApiContext } from '../environment.ts';
import { needsProof } from '../require-step-up.ts';
import { accessBy, accessNow } from './grant.ts';
import { readParts, type ReadPeopleParts } from './parts.ts';

/** A person, with the role that a change is about. */
export interface Holder {
  readonly name: string;
  readonly role: string;
  readonly by: RoleHolder;
  /** The role was made for this person, and no one else has it. */
  readonly isOwn: boolean;
}

interface HolderDependencies {
  readonly settings: Pick<Settings, 'proxyIdentity'>;
  readonly users: Pick<Users, 'find'>;
  readonly ofPeople: readonly ReadPeopleParts[];
  readonly read: Reading;
}

/** @throws AppError `user_unknown`, `user_of_proxy` */
export async function findHolder(
  name: string,
  { settings, users, ofPeople, read }: HolderDependencies,
): Promise<Holder> {
  const user = await users.find(name);
  const { invited = [] } = user === undefined ? await readParts(ofPeople, name) : {};
  const newest = invited.find((one) => one.name === name);
  if (user === undefined && newest === undefined)
    throw new AppError(settings.proxyIdentity.rolesByUser.has(name) ? 'user_of_proxy' : 'user_unknown');
  const by = newest === undefined ? { user: name } : { invitation: newest.invitation.id };
  const role = user?.role ?? newest?.role ?? '';
  return { name, role, by, isOwn: await isOwnRole(read, role, by) };
}

/**
 * @returns the permit of the request, if the person still has the role and no one else got it meanwhile. Access that may be
 *   wider than before needs a fresh proof, and so does leaving a role that needs one.
 */
export function permitFor(c: ApiContext, holder: Holder, definition: RoleDefinition): Permit {
  const { role, by, isOwn } = holder;
  return async (on) => {
    const permission = await c.var.permit(on);
    const { settings } = permission;
    const now = await roleOf(on, by);
    if (now === undefined) throw new AppError('user_unknown');
    if (now !== role || (await isOwnRole(on, role, by)) !== isOwn) throw new AppError('role_unknown');
    if (needsProof(role, settings) || isWider(accessBy(definition, settings), accessNow(role, settings)))
      permission.requireProof();
    return permission;
  };
}

async function roleOf(on: Reading, by: RoleHolder): Promise<string | undefined> {
  const row = await ('user' in by
    ? on.selectFrom('users').select('role').where('username', '=', by.user).executeTakeFirst()
    : on
        .selectFrom('invitations')
        .select('role')
        .where('invitation_id', '=', by.invitation)
        .executeTakeFirst());
  return row?.role;
}
