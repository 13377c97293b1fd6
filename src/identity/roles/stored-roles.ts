import { sql, type Kysely, type Transaction } from 'kysely';
import * as v from 'valibot';
import { ConfigurationError } from '../../config/problem.ts';
import { schedule } from '../../config/schedule.ts';
import { streamOfAllCameras } from '../../policy/cameras.ts';
import { foldName, isRoleName } from '../../policy/names.ts';
import { neverOpen, type Schedule } from '../../policy/schedule.ts';
import type { Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { SharingTables } from '../../store/sharing-schema.ts';
import type { DefinedRoles } from './role-definitions.ts';

/** Custom roles made in the UI, in a shared store. */

/** @returns them in the order of creation. @param on the store, or a transaction of it */
export async function readStoredRoles(on: Reading): Promise<DefinedRoles> {
  const rows = await (on as unknown as Kysely<SharingTables>)
    .selectFrom('custom_roles')
    .select(['name', 'cameras', 'access_window'])
    .orderBy('position')
    .execute();
  const good = rows.filter(({ name }) => isRoleName(name));
  const windowed = good.flatMap(({ name, access_window: text }) =>
    text === null ? [] : [[name, windowOf(text)] as const],
  );
  return {
    roles: new Map(good.map(({ name, cameras }) => [name, camerasOf(cameras)])),
    schedules: new Map(windowed),
  };
}

/**
 * Defines a role after the existing ones, or changes the cameras of an existing one in place.
 * @param window null: the role is always valid; undefined: its schedule stays as it is
 * @throws ConfigurationError when another role has the same name except for case
 */
export async function writeStoredRole(
  transaction: Transaction<Tables>,
  name: string,
  cameras: readonly string[],
  window?: Schedule | null,
): Promise<void> {
  const on = sharing(transaction);
  const twin = await on
    .selectFrom('custom_roles')
    .select('name')
    .where(sql<string>`lower(name)`, '=', foldName(name))
    .where('name', '!=', name)
    .executeTakeFirst();
  if (twin !== undefined) throw twinProblem(name, twin.name);
  const listed = {
    cameras: JSON.stringify(cameras),
    ...(window === undefined ? {} : { access_window: window === null ? null : JSON.stringify(window) }),
  };
  await on
    .insertInto('custom_roles')
    .values({ name, ...listed })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(listed))
    .execute();
  await raiseVersion(on);
}

/** @returns the error for a name that differs from another one only in case */
export function twinProblem(name: string, twin: string): ConfigurationError {
  return new ConfigurationError([
    {
      path: `auth.roles.${name}`,
      found: `a name that differs from ${twin} in upper and lower case alone`,
      allowed: 'another name',
    },
  ]);
}

export async function removeStoredRole(transaction: Transaction<Tables>, name: string): Promise<void> {
  const on = sharing(transaction);
  await on.deleteFrom('custom_roles').where('name', '=', name).execute();
  await raiseVersion(on);
}

/** Each change raises the version; `roles` is the version of the last change of roles. */
async function raiseVersion(on: Transaction<SharingTables>): Promise<void> {
  await on
    .updateTable('store_version')
    .set(({ ref }) => ({ roles: ref('version') }))
    .execute();
}

function sharing(on: Transaction<Tables>): Transaction<SharingTables> {
  return on as unknown as Transaction<SharingTables>;
}

function windowOf(text: string): Schedule {
  try {
    const read = v.safeParse(schedule, JSON.parse(text));
    return read.success ? read.output : neverOpen;
  } catch {
    return neverOpen;
  }
}

/** Anything but a list of names grants nothing, and a role never includes the stream of all cameras. */
function camerasOf(text: string): ReadonlySet<string> {
  try {
    const listed: unknown = JSON.parse(text);
    const isList = Array.isArray(listed) && listed.every((camera) => typeof camera === 'string');
    return new Set((isList ? listed : []).filter((camera) => camera !== streamOfAllCameras));
  } catch {
    return new Set();
  }
}
