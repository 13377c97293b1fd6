import type { GatewayDependencies, InForce } from '../../../src/gateway/dependencies.ts';
import { networksOf } from '../../../src/accounts/client-address.ts';
import { prepareTargets } from '../../../src/policy/resolve-target.ts';
import { prepareRoleResolution } from '../../../src/policy/role-map.ts';
import { lockedRows, recorderRows } from '../../../src/policy/target-table.ts';
import { sessionCookie } from '../../../src/sessions/session-cookie.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { known, nothingRecorded } from '../policy/known-cameras.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** What differs from the gateway below: of the configuration in force, or another room altogether. */
export type Changes = Partial<InForce & GatewayDependencies>;

const cameras = ['front', 'garage'];
const customRoles = new Map([['family', new Set(['front'])]]);

/** What the configuration of these tests says. */
export const inForce: InForce = {
  rules: {
    customRoles,
    resolveTarget: prepareTargets([...lockedRows, ...recorderRows], known(cameras)),
    recorded: nothingRecorded,
    basePath: '',
  },
  proxySecret: undefined,
  mode: 'proxy',
  proxyIdentity: {
    trustedHeaders: new Set(['remote-user', 'remote-groups']),
    userHeader: 'remote-user',
    roleHeader: 'remote-groups',
    ...prepareRoleResolution({ separator: ',', roleMap: undefined, defaultRole: undefined, customRoles }),
  },
  logoutUrl: undefined,
  returnDomains: [],
  isTrustedProxy: networksOf([]),
  allCameras: () => cameras,
};

/**
 * A gateway behind an upstream proxy, with the cameras `front` and `garage`, and a role `family` that sees
 * `front`. It has no accounts.
 */
export function gatewayDependencies(changes: Changes = {}): {
  readonly dependencies: GatewayDependencies;
  readonly log: readonly LogLine[];
} {
  const log: LogLine[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as LogLine);
  const dependencies: GatewayDependencies = {
    logger: createLogger('debug', { write }),
    inForce: () => ({ ...inForce, ...changes }),
    sessions: absent('sessions'),
    cookie: sessionCookie('session_token'),
    users: absent('users'),
    hasher: absent('hasher'),
    login: absent('login'),
    rolesFile: absent('rolesFile'),
    hasSharedPages: true,
    openapi: '{}',
    ...changes,
  };
  return { dependencies, log };
}

/** A room that must not be asked. */
function absent(room: string): never {
  return new Proxy(
    {},
    {
      get: (_, property) => () => {
        throw new Error(`${room}.${String(property)} was asked`);
      },
    },
  ) as never;
}
