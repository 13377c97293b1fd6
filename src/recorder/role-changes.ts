import type { CustomRoles } from '../policy/grant.ts';
import { obstacleTo } from '../policy/writable-role.ts';

/** What is to be written to a recorder. */
export interface RoleChange {
  readonly role: string;
  /** Sorted; undefined: the role is deleted there. */
  readonly cameras: readonly string[] | undefined;
}

/**
 * What makes a recorder's custom roles those of the gate. Deletions come first. A role that lost its last camera in the gate
 * is deleted, since it cannot be written, and must not keep cameras that it has no more: the recorder then takes it for a
 * viewer, so that it is not verified, and its lists are closed.
 * @param made names of roles that the gate has, or had, at the recorder: other roles there stay as they are
 */
export function changesOf(
  roles: CustomRoles,
  made: ReadonlySet<string>,
  atRecorder: CustomRoles,
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
