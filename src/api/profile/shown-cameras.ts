import type { Settings } from '../../access/settings/settings.ts';
import { isGranted, type Grant } from '../../policy/grant.ts';

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

/** The recorder's groups and those of the gate, which win. */
function groupsOf({ recorderGroups, defined }: Cameras, shown: readonly string[]): ShownGroup[] {
  return [...new Map([...recorderGroups(), ...defined.groups])].flatMap(([name, cameras]) => {
    const members = new Set(cameras);
    const own = shown.filter((camera) => members.has(camera));
    return own.length === 0 ? [] : [{ name, cameras: own }];
  });
}
