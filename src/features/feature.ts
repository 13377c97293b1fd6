import type { NoteToken } from '../access/authorize.ts';
import type { Strategy, Authenticate } from '../access/authentication/authenticate.ts';
import type { CurrentRoles } from '../access/current-roles.ts';
import type { Settings } from '../access/settings/settings.ts';
import type { ChangeLimit } from '../accounts/limits/change-limit.ts';
import type { FailureLimitOf } from '../accounts/limits/failure-limit.ts';
import type { PersonalRoleChanges } from '../accounts/roles/personal-role-changes.ts';
import type { RemoveMadeRole } from '../accounts/roles/remove-made-role.ts';
import type { Sealing } from '../accounts/sealing.ts';
import type { SessionRegistry } from '../accounts/sessions/last-seen.ts';
import type { PasswordHasher } from '../accounts/users/password-hash.ts';
import type { Users } from '../accounts/users/users.ts';
import type { Mounted } from '../api/endpoint.ts';
import type { FinishLoginDependencies } from '../api/login/end-login.ts';
import type { ReadPeopleParts } from '../api/people/parts.ts';
import type { EndCredential } from '../api/streams/stopping.ts';
import type { OpenRequest } from '../api/doctor/gate-checks.ts';
import type { UiDependencies } from '../api/ui/ui-routes.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Configuration } from '../config/configuration.ts';
import type { RecorderDatabase } from '../events/recorder-database.ts';
import type { SharedMedia } from '../http/reverse-proxy/shared-media.ts';
import type { Passkeys } from '../accounts/second-factor/passkeys.ts';
import type { Recorder } from '../recorder/connect-recorder.ts';
import type { ClockTrust } from '../store/clock-trust.ts';
import type { Activity, Store } from '../store/store.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestLog } from '../telemetry/request-log.ts';

/** Parts that features are built on. They are opened once, and stay when the configuration changes. */
export interface Core {
  readonly foundation: {
    readonly store: Store;
    readonly activity: Activity;
    /** While it stays the same, accounts and everything that they gave out have not changed. */
    readonly storeVersion: () => number;
    /** Several gates share the store. */
    readonly isShared: boolean;
    /** Called with the version of the roles that was read beside an account. */
    readonly sawRoles: (version: number) => void;
    /** The recorder's. */
    readonly database: Pick<RecorderDatabase, 'eventsById' | 'exportById'>;
    readonly audit: AuditLog;
    readonly clock: Clock;
    readonly clockTrust: Pick<ClockTrust, 'isTrusted'>;
    readonly logger: Logger;
    /** For everything that a request can cause. */
    readonly requestLog: RequestLog;
    /** Gets a cleanup for everything that a feature opens. */
    readonly closing: AsyncDisposableStack;
  };
  readonly accounts: {
    readonly users: Users;
    readonly hasher: PasswordHasher;
    readonly changeLimit: ChangeLimit;
    readonly failureLimitOf: FailureLimitOf;
  };
  readonly sessions: { readonly sessionRegistry: SessionRegistry };
  readonly recorder: { readonly onRecorderFailure: () => void };
}

/** The core by one configuration. */
interface ConfiguredCore {
  readonly configuration: Configuration;
  readonly settings: Settings;
  readonly pages: UiDependencies;
  /** For `finishLogin`. */
  readonly finishing: FinishLoginDependencies;
  readonly jwtSecret: string;
  readonly sealing: Sealing;
  readonly passkeys: Passkeys;
  readonly authenticateSession: Authenticate;
  readonly personalRoles: PersonalRoleChanges;
  readonly removeMadeRole: RemoveMadeRole;
  /** The current settings, with the current custom roles. @throws AppError `store_unavailable` */
  readonly currentSettings: () => Promise<Settings>;
}

/** The running gate, whose configuration may be another one at each call. */
export interface Running {
  readonly configuration: () => Configuration;
  /** @throws when there is none yet */
  readonly runtime: () => {
    readonly settings: Settings;
    readonly sealing: Sealing;
    readonly currentRoles: CurrentRoles;
    readonly recorder: Recorder | undefined;
    readonly removeMadeRole: RemoveMadeRole;
  };
}

/** Parts that a feature gives the gate for one configuration. */
export interface Composed {
  readonly open: readonly Mounted[];
  readonly guarded: readonly Mounted[];
  /** Strategies that find out who is asking. The gate decides in which order. */
  readonly identify?: {
    /** Reads the link of a share. */
    readonly share?: Strategy;
    /** Reads `Authorization`. */
    readonly bearer?: Strategy;
    /** Reads a cookie of the feature, where there is no valid session. @param session the strategy for sessions */
    readonly afterSession?: (session: Strategy) => Strategy;
  };
  /** Passes on media of shares. */
  readonly media?: SharedMedia;
  /** Requests for cameras that have no answer. */
  readonly openRequests?: () => Promise<readonly OpenRequest[]>;
  /** Lists what people have of the feature. @param username reads only this user's */
  readonly ofPeople?: ReadPeopleParts;
  /** Called once, when the configuration takes effect. */
  readonly start?: () => void;
}

/** A feature that is on. */
export interface Feature {
  readonly compose: (core: ConfiguredCore) => Composed;
  readonly noteToken?: NoteToken;
  readonly endCredential?: EndCredential;
  /** Deletes everything that is over. */
  readonly prune: () => Promise<void>;
  /** Called once, when the gate decides. */
  readonly start?: (running: Running) => void;
}
