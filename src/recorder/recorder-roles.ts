import { camerasByRole } from '../policy/role-access.ts';
import type { Configuration } from '../config/configuration.ts';
import type { UnreadReason } from './configuration-answer.ts';
import type { RoleManagement } from './role-management.ts';
import type { RoleVerification } from './role-verification.ts';

interface RoleWithCameras {
  readonly name: string;
  readonly cameras: readonly string[];
}

/** The state of the custom roles at the recorder, for admins. */
interface RecorderRolesReport {
  /** There is a recorder. */
  readonly isAsked: boolean;
  /** The gate writes its roles to the recorder. */
  readonly isManaged: boolean;
  /** Why the recorder's roles are not known, or may be outdated. */
  readonly fault: UnreadReason | undefined;
  readonly onlyThere: readonly RoleWithCameras[];
  readonly refusals: ReadonlyArray<{ readonly name: string; readonly says: string }>;
  /** Cameras of roles that the recorder does not have. */
  readonly unknownCameras: readonly RoleWithCameras[];
}

export interface RecorderRoles {
  report(): RecorderRolesReport;
  /** @returns as `RoleVerification.tryAgain` */
  tryAgain(): Promise<void>;
}

export function recorderRolesOf(
  { upstream, recorder, auth }: Pick<Configuration, 'upstream' | 'recorder' | 'auth'>,
  management: Pick<RoleManagement, 'view' | 'refusalOf'>,
  { tryAgain }: Pick<RoleVerification, 'tryAgain'>,
): RecorderRoles {
  const roles = camerasByRole(auth.roles);
  const report = () => {
    const view = recorder.manageRoles ? management.view() : undefined;
    return {
      isAsked: upstream !== undefined,
      isManaged: recorder.manageRoles,
      fault: view?.fault,
      onlyThere: [...(view?.roles ?? [])]
        .filter(([name]) => !roles.has(name))
        .map(([name, cameras]) => ({ name, cameras: [...cameras] })),
      refusals: [...roles.keys()].flatMap((name) => {
        const says = recorder.manageRoles ? management.refusalOf(name) : undefined;
        return says === undefined ? [] : [{ name, says }];
      }),
      unknownCameras: [...roles].flatMap(([name, granted]) => {
        const cameras =
          view === undefined || view.cameras.size === 0 ? [] : [...granted.difference(view.cameras)];
        return cameras.length === 0 ? [] : [{ name, cameras }];
      }),
    };
  };
  return { report, tryAgain };
}
