import type { Clock } from '../clock.ts';
import type { Authenticate } from '../authentication/authenticate.ts';
import type { LastSeen } from '../authorization/last-seen.ts';
import type { Settings } from '../settings/settings.ts';
import type { ApiTokenUses } from '../api-tokens/api-token-uses.ts';
import type { ApiTokens } from '../api-tokens/api-tokens.ts';
import type { ChangeLimit } from '../accounts/change-limit.ts';
import type { Login } from '../accounts/login.ts';
import type { PasswordHasher } from '../accounts/password-hash.ts';
import type { CustomRoleChanges } from '../accounts/custom-roles.ts';
import type { Users } from '../accounts/users.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditRecords } from '../audit/audit-query.ts';
import type { ReloadReport } from '../config/reload-report.ts';
import type { RoundRobin } from '../round-robin.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { ActiveSessions } from '../sessions/active-sessions.ts';
import type { SessionRegistry } from '../sessions/last-seen.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Tallies } from '../telemetry/tallies.ts';
import type { Monitoring } from '../telemetry/monitoring-answers.ts';
import type { UiFiles } from './ui/ui-files.ts';
import type { CurrentRuntime } from './permit.ts';

/** What the program says of itself. */
interface About {
  readonly version: string;
  /** When it was started, in milliseconds since the epoch. */
  readonly started: number;
  /** What is in force, and how the last reload ended. */
  readonly reloads: () => ReloadReport;
}

/** What the gateway needs of the other modules, and stays the same when the configuration changes. */
export interface SharedServices {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly sessionRegistry: Pick<SessionRegistry, 'note' | 'forget'>;
  readonly users: Users;
  readonly apiTokens: ApiTokens;
  readonly apiTokenUses: ApiTokenUses;
  /** For what takes long, so that it holds nobody up. */
  readonly roundRobin: RoundRobin;
  readonly hasher: PasswordHasher;
  readonly changeLimit: ChangeLimit;
  readonly audit: AuditLog;
  readonly auditRecords: AuditRecords;
  /** The OpenAPI document, as text. */
  readonly openapi: string;
  /** Undefined when the UI was not built. */
  readonly ui?: UiFiles | undefined;
  readonly tallies: Tallies;
  readonly monitoring: Monitoring;
  readonly about: About;
  /** Asks the recorder anew what it knows of custom roles, at most once a second. */
  readonly askRecorderAgain: () => void;
}

/** What the gateway needs of the other modules. */
export interface ApiDependencies extends SharedServices {
  readonly settings: Settings;
  /** The gate that requests begin with at this moment. */
  readonly current: () => CurrentRuntime;
  readonly sessions: Sessions;
  /** Whom a session token or an API token names, whatever else the request says. */
  readonly authenticateAccount: Authenticate;
  readonly lastSeen: LastSeen;
  readonly activeSessions: ActiveSessions;
  readonly cookie: SessionCookie;
  readonly login: Login;
  readonly customRoles: CustomRoleChanges;
  /** Whether the pages that a recorder's own UI has too are the gateway's. */
  readonly hasSharedPages: boolean;
}
