import type { InNetworks } from '../accounts/client-address.ts';
import type { Login } from '../accounts/login.ts';
import type { PasswordHasher } from '../accounts/password-hash.ts';
import type { RolesFile } from '../accounts/roles-file.ts';
import type { Users } from '../accounts/users.ts';
import type { Rules } from '../policy/judge.ts';
import type { ProxyIdentity } from '../policy/proxy-subject.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { UiFiles } from '../ui-files.ts';

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
  /** Names of the cameras there are. */
  readonly allCameras: () => readonly string[];
}

/** What the gateway needs of the other rooms. */
export interface GatewayDependencies {
  readonly logger: Logger;
  readonly inForce: () => InForce;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly users: Users;
  readonly hasher: PasswordHasher;
  readonly login: Login;
  readonly rolesFile: RolesFile;
  /** The OpenAPI document, as text. */
  readonly openapi: string;
  /** Undefined when the UI was not built. */
  readonly ui?: UiFiles | undefined;
  /** Whether the pages that a recorder's own UI has too are the gateway's. */
  readonly hasSharedPages: boolean;
}
