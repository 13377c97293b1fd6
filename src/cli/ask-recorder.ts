import type { Configuration } from '../config/configuration.ts';
import { everyoneIsAdmin } from '../config/resolve-recorder.ts';
import { preparePathTree } from '../policy/path-tree.ts';
import { camerasByRole } from '../policy/role-access.ts';
import { unreadReasons } from '../recorder/configuration-answer.ts';
import { readRecorderCertificate } from '../recorder/upstream-pool.ts';

/** Asks the recorder of a configuration once. @returns undefined if the configuration names no recorder */
export async function askRecorderOf(configuration: Configuration) {
  if (configuration.upstream === undefined) return undefined;
  // Most commands do not need it.
  const { askRecorder } = await import('../recorder/try-recorder.ts');
  const { certificate } = configuration.recorder;
  return askRecorder(configuration, certificate && readRecorderCertificate(certificate));
}

interface RecorderTells {
  /** Its cameras, in one line. Absent when it was not asked or did not answer. */
  readonly cameras?: string;
  readonly warnings: readonly string[];
}

const closedConfiguration =
  "access.rules: a rule closes GET /api/config. The recorder's own UI stays empty without it, except for admins";

/** Whether a rule keeps the recorder's configuration, in which secrets are masked, from users other than admins. */
function closesConfiguration({ accessRules }: Configuration): boolean {
  const found = preparePathTree(accessRules)(new Set())('/api/config', 'GET');
  return found?.rule.level === 'admin-only';
}

/**
 * Asks the recorder whether it refuses roles of the gate (`recorder.manage_roles`), and for its cameras.
 * @param isAsked whether to ask in any case
 */
export async function askAboutConfiguration(
  configuration: Configuration,
  isAsked: boolean,
): Promise<RecorderTells> {
  const { auth, recorder } = configuration;
  const said = recorder.manageRoles || isAsked ? await askRecorderOf(configuration) : undefined;
  if (said === undefined)
    return { warnings: isAsked ? ['there is no recorder at upstream that could be asked'] : [] };
  if (said.isEveryoneAdmin) return { warnings: [`upstream: ${everyoneIsAdmin}`] };
  if ('fault' in said.read) {
    const { fault, detail } = said.read;
    const more = detail === undefined ? '' : ` (${detail})`;
    const what = `${unreadReasons[fault]}${more}`;
    return {
      warnings: [
        recorder.manageRoles
          ? `recorder.manage_roles: ${what}; roles cannot be written to it now`
          : `upstream: ${what}; its cameras cannot be checked`,
      ],
    };
  }
  const { cameras } = said.read.configuration;
  const warnings = [...camerasByRole(auth.roles)].flatMap(([role, granted]) =>
    [...granted]
      .filter((camera) => !cameras.has(camera))
      .map((camera) => `auth.roles.${role}: the recorder has no camera ${camera}`),
  );
  if (isAsked && closesConfiguration(configuration)) warnings.push(closedConfiguration);
  return { cameras: `the recorder has the cameras ${[...cameras.keys()].join(', ')}`, warnings };
}
