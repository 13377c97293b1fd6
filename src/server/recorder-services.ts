import { randomUUID } from 'node:crypto';
import { createRecorderWriter } from '../accounts/recorder-writer.ts';
import type { Clock } from '../clock.ts';
import { createConfigurationReading, type ConfigurationReading } from '../recorder/configuration-reading.ts';
import {
  connectRecorder,
  type AssertOwn,
  type Recorder,
  type RecorderConnection,
} from '../recorder/connect-recorder.ts';
import { keepMadeRoles, madeRolesPath } from '../recorder/made-roles.ts';
import {
  createRoleManagement,
  type RoleManagement,
  type RoleManagementOptions,
} from '../recorder/role-management.ts';
import { createRoleVerification, type RoleVerification } from '../recorder/role-verification.ts';
import { systemTimers } from '../recorder/timers.ts';
import type { Activity } from '../store/store.ts';
import type { Logger } from '../telemetry/logger.ts';

/** Who asks the recorder, and what is known of it. */
export interface RecorderServices {
  readonly recorderConfiguration: ConfigurationReading;
  readonly roleVerification: RoleVerification;
  readonly roleManagement: RoleManagement;
  /** Signs from now on what the gate itself asks the recorder. */
  readonly assertOwnBy: (assert: AssertOwn | undefined) => void;
  /** A connection to it has failed: what is known of it is asked anew. */
  readonly onRecorderFailure: () => void;
}

interface RecorderServicesOptions {
  /** Directory for what the program keeps. */
  readonly directory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Shared by several gates, of which one writes; undefined: this is the only gate. */
  readonly sharedActivity: Activity | undefined;
  /** Whether it is this one of several processes that writes to the recorder. */
  readonly writesToRecorder: boolean;
  readonly onRoleChange: RoleManagementOptions['onChange'];
  /** Gets what closes everything that is opened. */
  readonly closing: AsyncDisposableStack;
}

/** Nothing is asked before somebody says where the recorder is. */
export function openRecorderServices(options: RecorderServicesOptions): RecorderServices {
  const { directory, clock, logger, sharedActivity, writesToRecorder, closing } = options;
  let assertOwn: AssertOwn | undefined;
  const connect = (recorder: Recorder) => connectRecorder(recorder, (request) => assertOwn?.(request));
  const recorderConfiguration = createConfigurationReading({ connect, timers: systemTimers, clock, logger });
  closing.defer(recorderConfiguration.close);
  const roleVerification = createRoleVerification({
    connect: (recorder) => noticing(connect(recorder), recorderConfiguration.askAgain),
    timers: systemTimers,
    logger,
  });
  closing.defer(roleVerification.close);
  const writer =
    sharedActivity === undefined ? undefined : createRecorderWriter(sharedActivity, randomUUID());
  if (writer !== undefined) closing.defer(() => writer.release().catch(() => undefined));
  const roleManagement = createRoleManagement({
    mayWrite: async (recorder) =>
      writesToRecorder && (writer === undefined || (await writer.mayWrite(recorder))),
    made:
      writer ??
      keepMadeRoles(madeRolesPath(directory), (error) =>
        logger.warn({ err: error }, 'which roles the gate has at the recorder was not written down'),
      ),
    timers: systemTimers,
    onChange: options.onRoleChange,
  });
  return {
    recorderConfiguration,
    roleVerification,
    roleManagement,
    assertOwnBy: (assert) => {
      assertOwn = assert;
    },
    onRecorderFailure: () => {
      roleVerification.askAgain();
      recorderConfiguration.askAgain();
    },
  };
}

/** A recorder that does not answer comes back with another configuration, maybe. */
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
