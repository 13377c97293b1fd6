import type { ApiTokenUses } from '../accounts/api-token-uses.ts';
import type { ApiTokens } from '../accounts/api-tokens.ts';
import type { ChangeLimit } from '../accounts/change-limit.ts';
import type { InNetworks } from '../accounts/client-address.ts';
import type { Login } from '../accounts/login.ts';
import type { PasswordHasher } from '../accounts/password-hash.ts';
import type { CustomRoleChanges } from '../accounts/custom-roles.ts';
import type { Users } from '../accounts/users.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuditRecords } from '../audit/audit-query.ts';
import type { ReloadReport } from '../config/reload-report.ts';
import type { Rules } from '../policy/judge.ts';
import type { ProxyIdentity } from '../policy/proxy-subject.ts';
import type { RecorderRole } from '../recorder/recorder-role.ts';
import type { RoundRobin } from '../round-robin.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Tallies } from '../telemetry/tallies.ts';
import type { Monitoring } from '../telemetry/monitoring-answers.ts';
import type { UiFiles } from '../ui-files.ts';
import type { CurrentGate } from './permit.ts';

/** What the configuration says at this moment; swapped as a whole when it changes. */
export interface InForce {
  readonly rules: Rules;
  readonly proxySecret: string | undefined;
  /** `session`: own accounts (`auth.enabled`); `proxy`: the upstream proxy's headers are believed. */
  readonly mode: 'session' | 'proxy';
  readonly proxyIdentity: ProxyIdentity;
  readonly logoutUrl: string | undefined;
  /** To whose pages, besides this site's, a login may lead back. */
  readonly returnDomains: readonly string[];
  readonly isTrustedProxy: InNetworks;
  /** Whether it is verified that the recorder keeps a custom role to its cameras, by all fronts that are in use. */
  readonly roleAtRecorder: (role: string) => RecorderRole;
  /** Names of the cameras there are. */
  readonly allCameras: () => readonly string[];
}

/** What the program says of itself. */
interface About {
  readonly version: string;
  /** When it was started. */
  readonly started: Date;
  /** What is in force, and how the last reload ended. */
  readonly reloads: () => ReloadReport;
}

/** What the gateway needs of the other rooms, and stays the same when the configuration changes. */
export interface LastingDependencies {
  readonly logger: Logger;
  /** Seconds since the epoch. */
  readonly now: () => number;
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

/** What the gateway needs of the other rooms. */
export interface GatewayDependencies extends LastingDependencies {
  readonly inForce: () => InForce;
  /** The gate that requests begin with at this moment. */
  readonly current: () => CurrentGate;
  readonly sessions: Sessions;
  readonly liveSessions: LiveSessions;
  readonly cookie: SessionCookie;
  readonly login: Login;
  readonly customRoles: CustomRoleChanges;
  /** Whether the pages that a recorder's own UI has too are the gateway's. */
  readonly hasSharedPages: boolean;
}
