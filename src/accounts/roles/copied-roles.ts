import type { AuditRecords } from '../../audit/audit-query.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { isRoleName } from '../../policy/names.ts';
import type { DefinedRoles } from '../../policy/role-access.ts';
import { unconditional } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';
import { notLookedUp } from '../users/personal-roles.ts';
import { raiseRolesVersion, readStoredRoles, writeStoredRole } from './role-definitions.ts';
import type { RolesFile } from './roles-file.ts';

/* Earlier versions defined roles made for one person in config.yml. */

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
        .values({ role, copied_at: notCopied })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await on.deleteFrom('personal_roles').where('role', '=', notLookedUp).execute();
    await raiseRolesVersion(on);
  });
}

const notCopied = 0;

/**
 * Copies the definitions of personal roles from config.yml to the store, at the first start of a version that keeps them there. Later starts
 * find nothing to copy, so no other config.yml changes the access of a guest.
 * @param declared the roles of config.yml
 * @returns the copied roles
 */
export async function copyDeclaredRoles(
  store: Store,
  declared: DefinedRoles,
  clock: Clock,
): Promise<readonly string[]> {
  const waiting = store.selectFrom('personal_roles').select('role').where('copied_at', '=', notCopied);
  if ((await waiting.executeTakeFirst()) === undefined) return [];
  const now = Math.max(wholeSeconds(clock.now()), notCopied + 1);
  return store.change(unconditional, async (on) => {
    const rows = await on
      .selectFrom('personal_roles')
      .select('role')
      .where('copied_at', '=', notCopied)
      .where('role', '!=', notLookedUp)
      .execute();
    const { definitions: stored } = await readStoredRoles(on);
    const copied: string[] = [];
    for (const { role } of rows) {
      const definition = declared.definitions.get(role);
      await on
        .updateTable('personal_roles')
        .set({ copied_at: definition === undefined ? null : now })
        .where('role', '=', role)
        .execute();
      if (definition === undefined || stored.has(role)) continue;
      await writeStoredRole(on, role, definition.cameras, definition.access ?? null);
      copied.push(role);
    }
    await raiseRolesVersion(on);
    return copied;
  });
}

const day = 86_400;
/** An earlier version that is started again until then finds the guests as they were. Seconds. */
const linesStay = 30 * day;
/** Other gates have removed their lines too. Seconds. */
const namesStay = linesStay + day;

/**
 * Removes the lines of personal roles from config.yml, a month after they were copied.
 * @param declared the roles of the running config.yml
 * @throws as `RolesFile.forget`
 */
export async function removeCopiedLines(
  store: Store,
  rolesFile: Pick<RolesFile, 'forget'>,
  declared: DefinedRoles,
  clock: Clock,
): Promise<void> {
  const now = wholeSeconds(clock.now());
  const rows = await store.selectFrom('personal_roles').select(['role', 'copied_at']).execute();
  const left = rows.filter(
    ({ role, copied_at: at }) =>
      declared.definitions.has(role) && (at === null || (at !== notCopied && at + linesStay <= now)),
  );
  if (left.length > 0) await rolesFile.forget(left.map(({ role }) => role));
  const { definitions } = await readStoredRoles(store);
  const over = rows.filter(
    ({ role, copied_at: at }) =>
      at !== null && at !== notCopied && at + namesStay <= now && !definitions.has(role),
  );
  if (over.length === 0) return;
  await store.change(unconditional, async (on) => {
    await on
      .deleteFrom('personal_roles')
      .where(
        'role',
        'in',
        over.map(({ role }) => role),
      )
      .execute();
    await raiseRolesVersion(on);
  });
}
