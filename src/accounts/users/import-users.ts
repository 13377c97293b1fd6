import { existsSync } from 'node:fs';
import * as v from 'valibot';
import type { CamerasByRole } from '../../policy/grant.ts';
import { foldUserName, isNoRole, isRoleName, twinOf } from '../../policy/names.ts';
import { unconditional } from '../../store/permit.ts';
import { openReadOnly } from '../../store/sqlite/sqlite-file.ts';
import type { Store } from '../../store/store.ts';
import { username } from './credentials.ts';
import { parsePasswordHash } from './password-hash.ts';
import type { User } from './user-list.ts';

interface RecorderUser {
  readonly username: string;
  readonly role: string;
  readonly passwordHash: string;
}

export interface ImportPlan {
  readonly imported: ReadonlyArray<User & { readonly passwordHash: string }>;
  /** The recorder's custom roles that the users have, with their cameras. */
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>;
  readonly skipped: ReadonlyArray<{ readonly name: string; readonly why: string }>;
  /** Whether more users could be imported if the recorder's roles were known. */
  readonly lacksRoles: boolean;
}

/** @throws Error with the reason: no file, an unreadable one, or not a recorder's database */
export function readRecorderUsers(path: string): RecorderUser[] {
  if (!existsSync(path)) throw new Error(`there is no ${path}`);
  try {
    const file = openReadOnly(path, 5_000);
    try {
      const rows = file.prepare('SELECT username, role, password_hash FROM user ORDER BY username').all();
      return rows.map((row) => ({
        username: String(row['username']),
        role: String(row['role']),
        passwordHash: String(row['password_hash']),
      }));
    } finally {
      file.close();
    }
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    const what = isOfAnotherKind(cause) ? "is no recorder's database with users" : 'cannot be read';
    throw new Error(`${path} ${what} (${said})`, { cause });
  }
}

/** SQLITE_ERROR, as for a missing table, and SQLITE_NOTADB (https://sqlite.org/rescode.html). */
function isOfAnotherKind(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return errcode === 1 || errcode === 26;
}

/** Roles and cameras of the recorder, as far as they are known. */
interface RecorderRoles {
  readonly roles: CamerasByRole;
  /** Cameras that roles of the gate may name; absent when any may be named. */
  readonly cameras: readonly string[] | undefined;
}

/**
 * Plans which users to import. Existing users stay as they are, and each user keeps the role that the recorder gives: a role that
 * is unknown here could be limited to a single camera.
 * @param existing names of users
 * @param roles that are defined
 * @param recorder omit when it was not asked
 */
export function planImport(
  found: readonly RecorderUser[],
  existing: Iterable<string>,
  roles: ReadonlySet<string>,
  recorder?: RecorderRoles,
): ImportPlan {
  const made = new Map<string, ReadonlySet<string>>();
  const imported: RecorderUser[] = [];
  const skipped: Array<ImportPlan['skipped'][number]> = [];
  let lacksRoles = false;
  const takenBy = new Map([...existing].map((name) => [foldUserName(name), name]));
  const atRecorder = Map.groupBy(found, ({ username: name }) => foldUserName(name));
  for (const user of found) {
    const twin = atRecorder.get(foldUserName(user.username))?.find((other) => other !== user)?.username;
    const ofUser = obstacle(user, takenBy.get(foldUserName(user.username)), twin);
    const isKnown = roles.has(user.role) || made.has(user.role);
    const cameras = isKnown ? undefined : recorder?.roles.get(user.role);
    const named = new Set([...roles, ...made.keys()]);
    const why = ofUser ?? (isKnown ? undefined : roleObstacle(user.role, cameras, named, recorder));
    if (ofUser === undefined && why !== undefined && recorder === undefined && !isNoRole(user.role))
      lacksRoles = true;
    if (why !== undefined) skipped.push({ name: user.username, why });
    else {
      if (cameras !== undefined) made.set(user.role, cameras);
      imported.push(user);
    }
  }
  return { imported, roles: made, skipped, lacksRoles };
}

/** @param cameras that the recorder gives the role; omit when they are not known */
function roleObstacle(
  role: string,
  cameras: ReadonlySet<string> | undefined,
  roles: ReadonlySet<string>,
  recorder: RecorderRoles | undefined,
): string | undefined {
  if (isNoRole(role)) return `the role ${role} means no access`;
  const taken = twinOf(role, roles);
  if (taken !== undefined)
    return `the role ${role} is not defined here, and the name of ${taken} is the same`;
  if (cameras === undefined)
    return `the role ${role} is not defined ${recorder === undefined ? 'here' : 'here, nor at the recorder'}`;
  const fault = roleFault(role, cameras, recorder?.cameras);
  return fault && `the role ${role} is not defined here, and cannot be made: ${fault}`;
}

function roleFault(
  role: string,
  cameras: ReadonlySet<string>,
  known: readonly string[] | undefined,
): string | undefined {
  if (!isRoleName(role)) return 'the name is not allowed here';
  if (cameras.size === 0) return 'the recorder gives it every camera';
  const unknown = known === undefined ? [] : [...cameras].filter((camera) => !known.includes(camera));
  return unknown.length === 0 ? undefined : `cameras does not name ${unknown.join(', ')}`;
}

function obstacle(
  { username: name, passwordHash }: RecorderUser,
  existing: string | undefined,
  twin: string | undefined,
): string | undefined {
  if (existing === name) return 'there is a user of this name';
  if (existing !== undefined) return `there is the user ${existing}, whose name is the same in another case`;
  if (twin !== undefined)
    return `the recorder has the user ${twin} too, whose name is the same in another case`;
  if (!v.is(username, name)) return 'the name is not allowed here';
  if (parsePasswordHash(passwordHash) === undefined) return 'the password hash cannot be read';
  return undefined;
}

/** A user as imported, with the password that the recorder had. */
export interface Imported {
  readonly username: string;
  readonly role: string;
  readonly isHash: (passwordHash: string) => boolean;
}

/**
 * Removes users as they were imported, and ends their sessions. Anyone changed since stays, and one admin, if there are other users.
 * @returns who was removed, and who stays
 */
export async function removeImported(
  store: Store,
  imported: readonly Imported[],
): Promise<{ readonly removed: readonly string[]; readonly stayed: readonly string[] }> {
  return store.change(unconditional, async (on, { requireProof }) => {
    requireProof();
    const users = await on.selectFrom('users').select(['username', 'role', 'password_hash']).execute();
    const isUnchanged = (user: (typeof users)[number]) =>
      imported.some(
        ({ username: name, role, isHash }) =>
          user.username === name && user.role === role && isHash(user.password_hash),
      );
    const going = users.filter(isUnchanged);
    const others = users.filter((user) => !going.includes(user));
    const keeper =
      others.length === 0 || others.some(({ role }) => role === 'admin')
        ? undefined
        : going.find(({ role }) => role === 'admin');
    const removed = going.filter((user) => user !== keeper).map((user) => user.username);
    for (const name of removed) await on.deleteFrom('users').where('username', '=', name).execute();
    const known = new Set(users.map((user) => user.username));
    return {
      removed,
      stayed: imported
        .map(({ username: name }) => name)
        .filter((name) => known.has(name) && !removed.includes(name)),
    };
  });
}
