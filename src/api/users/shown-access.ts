import * as v from 'valibot';
import type { Settings } from '../../access/settings/settings.ts';
import { schedule } from '../../config/role-access.ts';
import { nameText } from '../../language/fill.ts';
import { capabilities } from '../../policy/capability.ts';
import { type Grant, isGranted } from '../../policy/grant.ts';
import { accessOfRole } from '../../policy/role-access.ts';

type Cameras = Pick<Settings, 'allCameras' | 'friendlyNames' | 'recorderGroups' | 'defined'>;

interface ShownGroup {
  readonly name: string;
  readonly cameras: string[];
}

/** The existing cameras that a grant covers, in the order in which pages show them. */
export function grantedCameras({ allCameras }: Pick<Settings, 'allCameras'>, grant: Grant): string[] {
  return allCameras().filter((camera) => isGranted(grant, camera));
}

/** The cameras of a grant with their names and groups, and nothing of any other camera. */
export function shownCameras(settings: Cameras, grant: Grant) {
  const cameras = grantedCameras(settings, grant);
  const friendly = settings.friendlyNames();
  const named = cameras.filter((camera) => friendly.has(camera));
  const groups = groupsOf(settings, cameras);
  return {
    allowed_cameras: cameras,
    ...(named.length > 0 && {
      camera_names: Object.fromEntries(named.map((camera) => [camera, friendly.get(camera) ?? camera])),
    }),
    ...(groups.length > 0 && { camera_groups: groups }),
  };
}

/** The recorder's groups and those of the gate, which win. Pages could not tell `docks` from `Docks`: both are one group. */
function groupsOf({ recorderGroups, defined }: Cameras, shown: readonly string[]): ShownGroup[] {
  const byText = new Map(
    [...recorderGroups(), ...defined.groups].map((group) => [nameText(group[0]).toLowerCase(), group]),
  );
  return [...byText.values()].flatMap(([name, cameras]) => {
    const members = new Set(cameras);
    const own = shown.filter((camera) => members.has(camera));
    return own.length === 0 ? [] : [{ name, cameras: own }];
  });
}

/** The access of a role that was made for one person: lists show this in place of its name. */
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
