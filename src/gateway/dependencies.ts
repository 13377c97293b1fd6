import type { Identification } from '../policy/identify.ts';
import type { Rules } from '../policy/judge.ts';
import type { AccessRequest } from '../policy/verdict.ts';
import type { Logger } from '../telemetry/logger.ts';

/** What the gateway needs of the other rooms and of the configuration in force. */
export interface GatewayDependencies {
  readonly logger: Logger;
  readonly rules: Rules;
  readonly proxySecret: string | undefined;
  /** `session`: own accounts (`auth.enabled`); `proxy`: the upstream proxy's headers are believed. */
  readonly mode: 'session' | 'proxy';
  /** Who is asking, by session token or by proxy headers as the mode says. */
  readonly identifyUser: (request: AccessRequest) => Promise<Identification>;
  readonly logoutUrl: string | undefined;
  /** Names of the cameras there are. */
  readonly allCameras: () => readonly string[];
}
