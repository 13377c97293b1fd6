import { networksOf } from '../accounts/client-address.ts';
import type { Configuration } from '../config/configuration.ts';
import { prepareTargets } from '../policy/resolve-target.ts';
import { prepareRoleResolution } from '../policy/role-map.ts';
import { targetTable } from '../policy/target-table.ts';
import type { InForce } from './dependencies.ts';

/**
 * Prepares a configuration for decisions.
 * @param recordedCameras names in the recorder's database, for a configuration that names none
 */
export function inForceOf(configuration: Configuration, recordedCameras: () => readonly string[]): InForce {
  const { auth, proxy, cameras, logoutUrl } = configuration;
  const knownCameras = [...auth.roles.values()].reduce(
    (known, granted) => known.union(granted),
    new Set(cameras),
  );
  return {
    rules: { customRoles: auth.roles, resolveTarget: prepareTargets(targetTable, knownCameras) },
    proxySecret: proxy.authSecret,
    mode: auth.enabled ? 'session' : 'proxy',
    proxyIdentity: {
      trustedHeaders: proxy.trustedHeaders,
      userHeader: proxy.userHeader,
      roleHeader: proxy.roleHeader,
      ...prepareRoleResolution({ ...proxy, customRoles: auth.roles }),
    },
    logoutUrl,
    isTrustedProxy: networksOf(auth.trustedProxies),
    allCameras: () => cameras ?? recordedCameras(),
  };
}
