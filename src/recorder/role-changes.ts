import type { CamerasByRole } from '../policy/grant.ts';
import { obstacleTo } from '../policy/writable-role.ts';

export interface RoleChange {
  readonly role: string;
  /** Sorted; undefined: delete the role. */
  readonly cameras: readonly string[] | undefined;
}

/**
 * Computes the changes that make a recorder's custom roles those of the gate, deletions first. A role without cameras cannot
 * be written, and must not keep cameras that it has lost, so it is deleted. The recorder then takes it for a viewer: it is
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
