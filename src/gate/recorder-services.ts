import { randomUUID } from 'node:crypto';
import { createRecorderWriter } from '../accounts/users/recorder-writer.ts';
import type { CamerasByRole } from '../policy/grant.ts';
import { createConfigurationReading } from '../recorder/configuration-reading.ts';
import { connectRecorder, type Recorder, type RecorderConnection } from '../recorder/connect-recorder.ts';
import { keepMadeRoles, madeRolesPath } from '../recorder/role-changes.ts';
import { createRoleManagement } from '../recorder/role-management.ts';
import { createRoleVerification } from '../recorder/role-verification.ts';
import { systemTimers } from '../clock.ts';
import type { Foundation } from './foundation.ts';
import { roleChangeEntry } from './role-change-entry.ts';

/** What a runtime needs for the recorder. */
interface AskedRecorder {
  /** Undefined: none. */
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
  const { directory, clock, logger, isShared, activity, audit, tallies, closing } = foundation;
  const recorderConfiguration = createConfigurationReading({
    connect: connectRecorder,
    timers: systemTimers,
    clock,
    logger,
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
        logger.warn({ err: error }, 'which roles the gate has at the recorder was not written down'),
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
