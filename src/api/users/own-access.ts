import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import { schedule } from '../../config/role-access.ts';
import { capabilities } from '../../policy/capability.ts';
import { accessOfRole } from '../../policy/role-access.ts';
import { grantedCameras } from '../profile/shown-cameras.ts';

/** What a role gives that was made for one person: lists show this in place of its name. */
export const ownAccess = v.strictObject({
  cameras: v.array(v.string()),
  may: v.array(v.picklist(capabilities)),
  schedule: v.pipe(v.nullable(schedule), v.description('Null: always.')),
});

/** @returns null for a role that has a name of its own */
export function ownAccessBy(
  personal: ReadonlySet<string>,
  settings: Settings,
): (role: string) => v.InferOutput<typeof ownAccess> | null {
  return (role) => {
    if (!personal.has(role)) return null;
    const { cameras, may, schedule: when } = accessOfRole(role, settings.rules.roles);
    return {
      cameras: [...grantedCameras(settings, cameras)],
      may: capabilities.filter((capability) => may.has(capability)),
      schedule: when ?? null,
    };
  };
}
