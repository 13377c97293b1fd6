import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import { capabilities } from '../../policy/capability.ts';
import {
  accessOfRole,
  currentRole,
  expandRoles,
  type RoleAccess,
  type RoleDefinition,
} from '../../policy/role-access.ts';
import { grantedCameras } from '../users/shown-access.ts';

export const grant = v.strictObject({
  cameras: v.pipe(
    v.nullable(v.array(v.string())),
    v.description('Without those of the groups. Null: every camera.'),
  ),
  groups: v.array(v.string()),
  may: v.array(v.picklist(capabilities)),
  allowed_cameras: v.pipe(v.array(v.string()), v.description('All that the person sees.')),
});
type ShownGrant = v.InferOutput<typeof grant>;

/** Someone with a role that is not defined anymore counts as viewer. */
export function roleNow(role: string, { rules: { roles } }: Pick<Settings, 'rules'>): string {
  return currentRole(role, roles);
}

export function accessNow(role: string, settings: Pick<Settings, 'rules'>): RoleAccess {
  return accessOfRole(roleNow(role, settings), settings.rules.roles);
}

/** @returns the access that a definition would give */
export function accessBy(definition: RoleDefinition, { defined }: Pick<Settings, 'defined'>): RoleAccess {
  const name = 'role';
  return accessOfRole(name, expandRoles({ ...defined, definitions: new Map([[name, definition]]) }));
}

/** @param definition as it is written; undefined for a built-in role */
export function shownGrant(
  definition: RoleDefinition | undefined,
  access: RoleAccess,
  settings: Pick<Settings, 'allCameras'>,
): ShownGrant {
  return {
    cameras: access.cameras === 'all' ? null : [...(definition?.cameras ?? [])],
    groups: [...(definition?.access?.groups ?? [])],
    may: capabilities.filter((capability) => access.may.has(capability)),
    allowed_cameras: grantedCameras(settings, access.cameras),
  };
}

/** @returns such as "driveway, garage: live, until 2026-11-29T22:00" */
export function accessInOneLine({ cameras, may, schedule: { from, until, hours } = {} }: RoleAccess): string {
  const where = cameras === 'all' ? 'all cameras' : [...cameras].join(', ') || 'no camera';
  const words = capabilities.filter((capability) => may.has(capability)).join(', ') || 'nothing';
  const when = [from && `from ${from}`, until && `until ${until}`, hours && `at ${hours}`].filter(Boolean);
  return [`${where}: ${words}`, ...when].join(', ');
}
