import { randomUUID } from 'node:crypto';
import { camerasOfRecorder } from '../access/settings/known-cameras.ts';
import { createLostCameras } from '../accounts/cameras/lost-cameras.ts';
import { defineRoles } from '../accounts/roles/role-definitions.ts';
import { createRecorderWriter } from '../accounts/users/recorder-writer.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { systemTimers } from '../clock.ts';
import type { CamerasByRole } from '../policy/grant.ts';
import { createConfigurationReading } from '../recorder/configuration-reading.ts';
import { type Recorder, type RecorderConnection, connectRecorder } from '../recorder/connect-recorder.ts';
import { keepMadeRoles, madeRolesPath } from '../recorder/role-changes.ts';
import { type ChangeOutcome, createRoleManagement } from '../recorder/role-management.ts';
import { createRoleVerification } from '../recorder/role-verification.ts';
import type { Foundation } from './foundation.ts';

/** The recorder of a runtime. */
interface AskedRecorder {
  /** Absent when there is none. */
  readonly recorder: Recorder | undefined;
  readonly roles: CamerasByRole;
  /** Milliseconds between two verifications. */
  readonly checkInterval: number;
  /** The custom roles are written to the recorder. */
  readonly manageRoles: boolean;
}

export type RecorderServices = ReturnType<typeof createRecorderServices>;

/** Everything that asks the recorder, and its cached answers. Nothing is asked before `askRecorder`. */
export function createRecorderServices(foundation: Foundation) {
  const { directory, clock, logger, isShared, store, activity, audit, tallies, closing } = foundation;
  const { current, roleReading } = foundation;
  const lostCameras = createLostCameras({
    store,
    activity,
    defined: () => defineRoles(current.configuration().auth.defined, roleReading.known()).current,
    clock,
    logger,
  });
  closing.defer(lostCameras.settled);
  const recorderConfiguration = createConfigurationReading({
    connect: connectRecorder,
    timers: systemTimers,
    clock,
    logger,
    onRead: (configuration) => void lostCameras.note(camerasOfRecorder(configuration)),
  });
  closing.defer(recorderConfiguration.close);
  const roleVerification = createRoleVerification({
    connect: (recorder) => noticing(connectRecorder(recorder), recorderConfiguration.askAgain),
    timers: systemTimers,
    logger,
  });
  closing.defer(roleVerification.close);
  // Only one gate writes at a time.
  const writer = isShared ? createRecorderWriter(activity, randomUUID()) : undefined;
  if (writer !== undefined) closing.defer(() => writer.release().catch(() => undefined));
  const roleManagement = createRoleManagement({
    mayWrite: async (recorder) => writer === undefined || (await writer.mayWrite(recorder)),
    made:
      writer ??
      keepMadeRoles(madeRolesPath(directory), (error) =>
        logger.warn({ err: error }, 'which roles Postern has at the recorder was not written down'),
      ),
    timers: systemTimers,
    onChange: (outcome) => {
      tallies.recorderRoleChanges[outcome.result] += 1;
      const entry = roleChangeEntry(outcome);
      if (entry !== undefined) void audit.record(entry);
    },
  });
  return {
    recorderConfiguration,
    /** Cameras that the recorder no longer has, and that something here names. */
    lostCameras,
    roleVerification,
    roleManagement,
    /** Asks this recorder from now on, and at once. */
    askRecorder: ({ recorder, roles, checkInterval, manageRoles }: AskedRecorder) => {
      recorderConfiguration.read(recorder);
      roleVerification.verify({
        recorder,
        roles,
        interval: checkInterval,
        management: manageRoles ? roleManagement : undefined,
      });
    },
    /** Reads its roles again, at most once a second. */
    askRecorderAgain: roleVerification.askAgain,
    /** A connection to it has failed: reads its state again. */
    onRecorderFailure: () => {
      roleVerification.askAgain();
      recorderConfiguration.askAgain();
    },
  };
}

/** A recorder that does not answer may come back with another configuration. */
function noticing(connection: RecorderConnection, onFailure: () => void): RecorderConnection {
  return {
    ...connection,
    askProfile: (role, signal) =>
      connection.askProfile(role, signal).catch((error: unknown) => {
        onFailure();
        throw error;
      }),
  };
}

/** The audit entry of a change at the recorder; `undefined` while there is nothing new, or nothing final yet. */
function roleChangeEntry({
  role,
  cameras,
  result,
  detail,
  isRepeated,
}: ChangeOutcome): AuditEntry | undefined {
  const about = { source: 'system', object: role } as const;
  if (result === 'unanswered') return undefined;
  if (result === 'refused')
    return isRepeated
      ? undefined
      : { event: 'recorder_role_refused', ...about, detail: { cameras, recorder_says: detail } };
  return cameras === undefined
    ? { event: 'recorder_role_removed', ...about }
    : { event: 'recorder_role_written', ...about, detail: { cameras } };
}
