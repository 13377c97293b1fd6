import type { Kysely, Transaction } from 'kysely';
import { isBuiltIn, isRoleName } from '../config/values.ts';
import { streamOfAllCameras } from '../policy/cameras.ts';
import type { CustomRoles } from '../policy/grant.ts';
import type { Reading } from '../store/permit.ts';
import type { Tables } from '../store/schema.ts';
import type { SharingTables } from '../store/sharing-schema.ts';

/** Custom roles that were made in the UI, where the store is shared. */

/** @returns them in the order in which they were made. @param on the store, or a transaction of it */
export async function readStoredRoles(on: Reading): Promise<CustomRoles> {
  const rows = await (on as unknown as Kysely<SharingTables>)
    .selectFrom('custom_roles')
    .select(['name', 'cameras'])
    .orderBy('position')
    .execute();
  return new Map(
    rows
      .filter(({ name }) => isRoleName(name) && !isBuiltIn(name))
      .map(({ name, cameras }) => [name, camerasOf(cameras)]),
  );
}

/** Defines a role, behind those that there are, or gives it other cameras, where it stands. */
export async function writeStoredRole(
  transaction: Transaction<Tables>,
  name: string,
  cameras: readonly string[],
): Promise<void> {
  const on = sharing(transaction);
  const listed = { cameras: JSON.stringify(cameras) };
  await on
    .insertInto('custom_roles')
    .values({ name, ...listed })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(listed))
    .execute();
  await tellOthers(on);
}

export async function removeStoredRole(transaction: Transaction<Tables>, name: string): Promise<void> {
  const on = sharing(transaction);
  await on.deleteFrom('custom_roles').where('name', '=', name).execute();
  await tellOthers(on);
}

/** Each change raises the version; that of the roles is the one that changed them last. */
async function tellOthers(on: Transaction<SharingTables>): Promise<void> {
  await on
    .updateTable('store_version')
    .set(({ ref }) => ({ roles: ref('version') }))
    .execute();
}

function sharing(on: Transaction<Tables>): Transaction<SharingTables> {
  return on as unknown as Transaction<SharingTables>;
}

/** What is no list of names grants nothing, and a role never has the stream of all cameras. */
function camerasOf(text: string): ReadonlySet<string> {
  try {
    const listed: unknown = JSON.parse(text);
    const isList = Array.isArray(listed) && listed.every((camera) => typeof camera === 'string');
    return new Set((isList ? listed : []).filter((camera) => camera !== streamOfAllCameras));
  } catch {
    return new Set();
  }
}
