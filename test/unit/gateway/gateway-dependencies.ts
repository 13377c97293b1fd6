import type { GatewayDependencies } from '../../../src/gateway/dependencies.ts';
import { proxySubject } from '../../../src/policy/proxy-subject.ts';
import { prepareTargets } from '../../../src/policy/resolve-target.ts';
import { prepareRoleResolution } from '../../../src/policy/role-map.ts';
import { targetTable } from '../../../src/policy/target-table.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';

export type LogLine = Readonly<Record<string, unknown>>;

const cameras = ['front', 'garage'];
const customRoles = new Map([['family', new Set(['front'])]]);
const identity = {
  trustedHeaders: new Set(['remote-user', 'remote-groups']),
  userHeader: 'remote-user',
  roleHeader: 'remote-groups',
  ...prepareRoleResolution({ separator: ',', roleMap: undefined, defaultRole: undefined, customRoles }),
};

/** A gateway behind an upstream proxy, with the cameras `front` and `garage`, and a role `family` that sees `front`. */
export function gatewayDependencies(changes: Partial<GatewayDependencies> = {}): {
  readonly dependencies: GatewayDependencies;
  readonly log: readonly LogLine[];
} {
  const log: LogLine[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as LogLine);
  const dependencies: GatewayDependencies = {
    logger: createLogger('debug', { write }),
    rules: { customRoles, resolveTarget: prepareTargets(targetTable, new Set(cameras)) },
    proxySecret: undefined,
    mode: 'proxy',
    identifyUser: async ({ headers }) => proxySubject(headers, identity),
    logoutUrl: undefined,
    allCameras: () => cameras,
    ...changes,
  };
  return { dependencies, log };
}
