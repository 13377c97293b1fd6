import { networksOf } from '../accounts/client-address.ts';
import type { Configuration } from '../config/configuration.ts';
import { prepareTargets } from '../policy/resolve-target.ts';
import { prepareRoleResolution } from '../policy/role-map.ts';
import { lockedRows, recorderRows } from '../policy/target-table.ts';
import type { RecordedCameras } from '../policy/target.ts';
import type { ListFilter } from '../recorder/list-filter.ts';
import type { InForce } from './dependencies.ts';

/** What the recorder's database is asked. */
interface Recorder extends RecordedCameras {
  /** Names of the cameras that have events. */
  cameras(): readonly string[];
}

/** Prepares a configuration for decisions. */
export function inForceOf(
  configuration: Configuration,
  recorder: Recorder,
  { listsAreFiltered, roleAtRecorder }: ListFilter,
): InForce {
  const { auth, proxy, cameras, streams, accessRules, logoutUrl, basePath } = configuration;
  const names = [...auth.roles.values()].reduce((known, granted) => known.union(granted), new Set(cameras));
  const known = { names, complete: cameras !== undefined, streams };
  const table = [...lockedRows, ...accessRules, ...recorderRows];
  return {
    rules: {
      customRoles: auth.roles,
      resolveTarget: prepareTargets(table, known),
      recorded: recorder,
      listsAreFiltered,
      internalHosts: configuration.internalHosts,
      basePath,
    },
    proxySecret: proxy.authSecret,
    mode: auth.enabled ? 'session' : 'proxy',
    proxyIdentity: {
      trustedHeaders: proxy.trustedHeaders,
      userHeader: proxy.userHeader,
      roleHeader: proxy.roleHeader,
      ...prepareRoleResolution({ ...proxy, customRoles: auth.roles }),
    },
    logoutUrl,
    returnDomains: auth.returnDomains,
    isTrustedProxy: networksOf(auth.trustedProxies),
    roleAtRecorder,
    allCameras: () => cameras ?? recorder.cameras(),
  };
}
