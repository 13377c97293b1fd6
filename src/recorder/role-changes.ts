import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { CamerasByRole } from '../policy/grant.ts';
import { obstacleTo } from '../policy/names.ts';
import { readText } from '../config/read-file.ts';

export interface RoleChange {
  readonly role: string;
  /** Sorted; `undefined` to delete the role. */
  readonly cameras: readonly string[] | undefined;
}

/**
 * Computes the changes that make a recorder's custom roles those of the gate, deletions first. A role without cameras cannot
 * be written, and must not keep cameras that it has lost, so it is deleted. The recorder then treats it as a viewer: it is
 * not verified, and its lists are blocked.
 * @param made names of roles that the gate has written, or had written, to the recorder: all others there stay as they
 * are
 */
export function changesOf(
  roles: CamerasByRole,
  made: ReadonlySet<string>,
  atRecorder: CamerasByRole,
): readonly RoleChange[] {
  const deleted = [...made.union(new Set(roles.keys()))]
    .filter((role) => atRecorder.has(role) && (roles.get(role)?.size ?? 0) === 0)
    .filter((role) => obstacleTo(role, atLeastOne) === undefined)
    .map((role) => ({ role, cameras: undefined }));
  const written = [...roles]
    .filter(([role, cameras]) => obstacleTo(role, cameras) === undefined)
    .filter(([role, cameras]) => cameras.symmetricDifference(atRecorder.get(role) ?? new Set()).size > 0)
    .map(([role, cameras]) => ({ role, cameras: [...cameras].sort() }));
  return [...deleted, ...written];
}

const atLeastOne: ReadonlySet<string> = new Set(['any']);

/**
 * Names of the roles that the gate has written to a recorder. They show what to delete there after roles were deleted in the
 * gate while the recorder or the gate was down. Roles from elsewhere are never among them.
 */
export interface MadeRoles {
  /** @param recorder its address: each recorder has its own names */
  at(recorder: string): Promise<ReadonlySet<string>>;
  keep(recorder: string, names: ReadonlySet<string>): Promise<void>;
}

export function madeRolesPath(directory: string): string {
  return join(directory, 'recorder-roles.json');
}

const kept = v.object({ recorder: v.string(), roles: v.array(v.string()) });

/**
 * Keeps them in a file. An unreadable file counts as empty: then a role that is deleted in the gate may stay at the
 * recorder.
 * @param onFault called when the file cannot be written; the names are then kept until the process ends
 */
export function keepMadeRoles(path: string, onFault: (error: unknown) => void): MadeRoles {
  let known: { readonly recorder: string; readonly names: ReadonlySet<string> } | undefined;
  const read = () => {
    try {
      const { recorder, roles } = v.parse(kept, JSON.parse(readText(path)));
      return { recorder, names: new Set(roles) };
    } catch {
      return { recorder: '', names: new Set<string>() };
    }
  };
  const at = (recorder: string): ReadonlySet<string> => {
    known ??= read();
    return known.recorder === recorder ? known.names : new Set();
  };
  return {
    at: async (recorder) => at(recorder),
    keep: async (recorder, names) => {
      if (at(recorder).symmetricDifference(names).size === 0) return;
      known = { recorder, names };
      try {
        const roles = [...names].sort();
        // A pipe with that name would wait for a reader.
        rmSync(`${path}.new`, { force: true });
        writeFileSync(`${path}.new`, `${JSON.stringify({ recorder, roles })}\n`, { flag: 'wx', mode: 0o600 });
        renameSync(`${path}.new`, path);
      } catch (error) {
        onFault(error);
      }
    },
  };
}
