import type { Configuration } from '../config/configuration.ts';
import { unreadReasons } from '../recorder/configuration-answer.ts';
import { unverifiedReasons } from '../recorder/recorder-role.ts';
import { askRecorderOf } from './ask-recorder.ts';

/** What the recorder itself says against writing the roles to it (`recorder.manage_roles`). */
export async function recorderWarnings(configuration: Configuration): Promise<readonly string[]> {
  const { auth, recorder } = configuration;
  const said = recorder.manageRoles ? await askRecorderOf(configuration) : undefined;
  if (said === undefined) return [];
  if (said.isForEverybody) return [`upstream: ${unverifiedReasons.everybody_is_admin}`];
  if ('fault' in said.read) {
    const { fault, detail } = said.read;
    const more = detail === undefined ? '' : ` (${detail})`;
    return [`recorder.manage_roles: ${unreadReasons[fault]}${more}; roles cannot be written to it now`];
  }
  const { cameras } = said.read.configuration;
  return [...auth.roles].flatMap(([role, granted]) =>
    [...granted]
      .filter((camera) => !cameras.has(camera))
      .map((camera) => `auth.roles.${role}: the recorder has no camera ${camera}`),
  );
}
