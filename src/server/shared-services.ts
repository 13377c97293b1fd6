import type { ChangeLimit } from '../accounts/change-limit.ts';
import type { PasswordHasher } from '../accounts/password-hash.ts';
import type { FirstRun } from '../accounts/first-run.ts';
import type { ProviderPeople } from '../accounts/provider-people.ts';
import type { Users } from '../accounts/users.ts';
import type { ApiTokenUses } from '../api-tokens/api-token-uses.ts';
import type { ApiTokens } from '../api-tokens/api-tokens.ts';
import type { ConfigurationDependencies } from '../api/configuration/configuration.ts';
import type { UiFiles } from '../api/ui/ui-files.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { LastLogins } from '../audit/last-logins.ts';
import type { AuditRecords } from '../audit/audit-query.ts';
import type { Factors } from '../second-factor/factors.ts';
import type { Clock } from '../clock.ts';
import type { ExchangesOfGate } from '../exchanges/listed-exchange.ts';
import type { OpenExchanges } from '../exchanges/open-exchanges.ts';
import type { RoundRobin } from '../round-robin.ts';
import type { SessionRegistry } from '../sessions/last-seen.ts';
import type { ShareOpenings } from '../shares/share-openings.ts';
import type { Shares } from '../shares/shares.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Monitoring } from '../telemetry/monitoring-answers.ts';
import type { WarnOnce } from '../telemetry/warn-once.ts';
import type { Tallies } from '../telemetry/tallies.ts';

/** What the runtimes of all configurations have in common. */
export interface SharedServices {
  readonly logger: Logger;
  readonly warnOnce: WarnOnce;
  readonly clock: Clock;
  readonly sessionRegistry: Pick<SessionRegistry, 'note' | 'forget'>;
  readonly users: Users;
  readonly providerPeople: ProviderPeople;
  readonly factors: Factors;
  readonly firstRun: FirstRun;
  readonly apiTokens: ApiTokens;
  readonly apiTokenUses: ApiTokenUses;
  readonly shares: Shares;
  readonly shareOpenings: ShareOpenings;
  /** For what takes long, so that it holds nobody up. */
  readonly roundRobin: RoundRobin;
  /** Whatever is passed on, until it ends. */
  readonly exchanges: OpenExchanges;
  readonly exchangesOfGate: ExchangesOfGate;
  readonly hasher: PasswordHasher;
  readonly changeLimit: ChangeLimit;
  readonly audit: AuditLog;
  readonly auditRecords: AuditRecords;
  readonly lastLogins: LastLogins;
  /** Undefined when the UI was not built. */
  readonly ui?: UiFiles | undefined;
  readonly tallies: Tallies;
  readonly monitoring: Monitoring;
  readonly about: ConfigurationDependencies['about'];
  /** Asks the recorder anew what it knows of custom roles, at most once a second. */
  readonly askRecorderAgain: () => void;
}
