import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { isRoleName } from '../config/values.ts';
import type { CustomRoles } from '../policy/grant.ts';
import { openReadOnly } from '../store/sqlite/sqlite-file.ts';
import { username } from './credentials.ts';
import { parsePasswordHash } from './password-hash.ts';
import type { User } from './user-list.ts';

interface RecorderUser {
  readonly username: string;
  readonly role: string;
  readonly passwordHash: string;
}

export interface ImportPlan {
  readonly imported: ReadonlyArray<{
    readonly user: User & { readonly passwordHash: string };
    /** The recorder's role, when it is not defined here and the user becomes viewer. */
    readonly formerRole: string | undefined;
    /** Why not, when the recorder has it. */
    readonly obstacle?: string | undefined;
  }>;
  /** Custom roles of the recorder that users bring along, with their cameras. */
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>;
  readonly skipped: ReadonlyArray<{ readonly name: string; readonly why: string }>;
}

/** @throws Error that says why they cannot be read: no file, one that cannot be opened, no recorder's database */
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

/** SQLITE_ERROR, as for a table that is not there, and SQLITE_NOTADB (https://sqlite.org/rescode.html). */
function isOfAnotherKind(error: unknown): boolean {
  const { errcode } = error as { readonly errcode?: unknown };
  return errcode === 1 || errcode === 26;
}

/** What the recorder has besides its users; undefined: that is not known. */
interface RecorderRoles {
  /** Its custom roles. */
  readonly roles: CustomRoles;
  /** Cameras that roles of the gate may name; undefined: any. */
  readonly cameras: readonly string[] | undefined;
}

/**
 * Who can be taken over, and who cannot. Nobody who exists is changed.
 * @param roles that are defined
 */
export function planImport(
  found: readonly RecorderUser[],
  existing: ReadonlySet<string>,
  roles: ReadonlySet<string>,
  recorder?: RecorderRoles,
): ImportPlan {
  const made = new Map<string, ReadonlySet<string>>();
  const imported: Array<ImportPlan['imported'][number]> = [];
  const skipped: Array<ImportPlan['skipped'][number]> = [];
  for (const user of found) {
    const why = obstacle(user, existing);
    if (why !== undefined) {
      skipped.push({ name: user.username, why });
    } else if (roles.has(user.role)) {
      imported.push({ user, formerRole: undefined });
    } else {
      const cameras = recorder?.roles.get(user.role);
      const obstacle = cameras && roleObstacle(user.role, cameras, recorder?.cameras);
      if (cameras === undefined || obstacle !== undefined) {
        imported.push({ user: { ...user, role: 'viewer' }, formerRole: user.role, obstacle });
      } else {
        made.set(user.role, cameras);
        imported.push({ user, formerRole: undefined });
      }
    }
  }
  return { imported, roles: made, skipped };
}

function roleObstacle(
  role: string,
  cameras: ReadonlySet<string>,
  known: readonly string[] | undefined,
): string | undefined {
  if (!isRoleName(role)) return 'the name is not allowed here';
  if (cameras.size === 0) return 'it has no cameras of its own';
  const unknown = known === undefined ? [] : [...cameras].filter((camera) => !known.includes(camera));
  return unknown.length === 0 ? undefined : `cameras does not name ${unknown.join(', ')}`;
}

function obstacle(
  { username: name, passwordHash }: RecorderUser,
  existing: ReadonlySet<string>,
): string | undefined {
  if (existing.has(name)) return 'there is a user of this name';
  if (!v.is(username, name)) return 'the name is not allowed here';
  if (parsePasswordHash(passwordHash) === undefined) return 'the password hash cannot be read';
  return undefined;
}
